/* libxlsxwriter, loaded when first needed (lib/lazy.h): spreadsheets. */
#ifndef RTREPORT_LAZY_XLSX_H
#define RTREPORT_LAZY_XLSX_H

#include <xlsxwriter.h>
#include "lib/lazy.h"

#define LAZY_XLSX(X) \
	X(chart_add_series) X(chart_axis_major_gridlines_set_line) X(chart_axis_set_interval_tick) \
	X(chart_axis_set_interval_unit) \
	X(chart_axis_set_crossing) X(chart_axis_set_crossing_max) X(chart_axis_set_label_position) \
	X(chart_axis_set_log_base) X(chart_axis_set_min) X(chart_axis_set_name) X(chart_axis_set_name_font) \
	X(chart_axis_set_num_format) X(chart_axis_set_reverse) X(chart_legend_set_position) \
	X(chart_series_set_categories) X(chart_series_set_fill) X(chart_series_set_line) \
	X(chart_series_set_name) X(chart_series_set_values) X(chart_set_series_gap) X(chart_title_set_name) \
	X(chart_title_set_name_font) X(format_set_align) X(format_set_bg_color) X(format_set_bold) \
	X(format_set_bottom) X(format_set_num_format) X(format_set_text_wrap) X(workbook_add_chart) \
	X(workbook_add_format) X(workbook_add_worksheet) X(workbook_close) X(workbook_new_opt) \
	X(workbook_set_properties) X(worksheet_autofilter) X(worksheet_conditional_format_range) \
	X(worksheet_fit_to_pages) X(worksheet_freeze_panes) X(worksheet_insert_chart_opt) \
	X(worksheet_print_area) X(worksheet_repeat_rows) X(worksheet_set_column) X(worksheet_set_landscape) \
	X(worksheet_write_number) X(worksheet_write_string) X(worksheet_write_url_opt)

struct lazy_xlsx { LAZY_XLSX(LAZY_MEMBER) };
const struct lazy_xlsx *lazy_xlsx(void);

#ifndef LAZY_DEFINING
#define chart_add_series (lazy_xlsx()->chart_add_series)
#define chart_axis_major_gridlines_set_line (lazy_xlsx()->chart_axis_major_gridlines_set_line)
#define chart_axis_set_crossing (lazy_xlsx()->chart_axis_set_crossing)
#define chart_axis_set_crossing_max (lazy_xlsx()->chart_axis_set_crossing_max)
#define chart_axis_set_interval_tick (lazy_xlsx()->chart_axis_set_interval_tick)
#define chart_axis_set_interval_unit (lazy_xlsx()->chart_axis_set_interval_unit)
#define chart_axis_set_label_position (lazy_xlsx()->chart_axis_set_label_position)
#define chart_axis_set_log_base (lazy_xlsx()->chart_axis_set_log_base)
#define chart_axis_set_min (lazy_xlsx()->chart_axis_set_min)
#define chart_axis_set_name (lazy_xlsx()->chart_axis_set_name)
#define chart_axis_set_name_font (lazy_xlsx()->chart_axis_set_name_font)
#define chart_axis_set_num_format (lazy_xlsx()->chart_axis_set_num_format)
#define chart_axis_set_reverse (lazy_xlsx()->chart_axis_set_reverse)
#define chart_legend_set_position (lazy_xlsx()->chart_legend_set_position)
#define chart_series_set_categories (lazy_xlsx()->chart_series_set_categories)
#define chart_series_set_fill (lazy_xlsx()->chart_series_set_fill)
#define chart_series_set_line (lazy_xlsx()->chart_series_set_line)
#define chart_series_set_name (lazy_xlsx()->chart_series_set_name)
#define chart_series_set_values (lazy_xlsx()->chart_series_set_values)
#define chart_set_series_gap (lazy_xlsx()->chart_set_series_gap)
#define chart_title_set_name (lazy_xlsx()->chart_title_set_name)
#define chart_title_set_name_font (lazy_xlsx()->chart_title_set_name_font)
#define format_set_align (lazy_xlsx()->format_set_align)
#define format_set_bg_color (lazy_xlsx()->format_set_bg_color)
#define format_set_bold (lazy_xlsx()->format_set_bold)
#define format_set_bottom (lazy_xlsx()->format_set_bottom)
#define format_set_num_format (lazy_xlsx()->format_set_num_format)
#define format_set_text_wrap (lazy_xlsx()->format_set_text_wrap)
#define workbook_add_chart (lazy_xlsx()->workbook_add_chart)
#define workbook_add_format (lazy_xlsx()->workbook_add_format)
#define workbook_add_worksheet (lazy_xlsx()->workbook_add_worksheet)
#define workbook_close (lazy_xlsx()->workbook_close)
#define workbook_new_opt (lazy_xlsx()->workbook_new_opt)
#define workbook_set_properties (lazy_xlsx()->workbook_set_properties)
#define worksheet_autofilter (lazy_xlsx()->worksheet_autofilter)
#define worksheet_conditional_format_range (lazy_xlsx()->worksheet_conditional_format_range)
#define worksheet_fit_to_pages (lazy_xlsx()->worksheet_fit_to_pages)
#define worksheet_freeze_panes (lazy_xlsx()->worksheet_freeze_panes)
#define worksheet_insert_chart_opt (lazy_xlsx()->worksheet_insert_chart_opt)
#define worksheet_print_area (lazy_xlsx()->worksheet_print_area)
#define worksheet_repeat_rows (lazy_xlsx()->worksheet_repeat_rows)
#define worksheet_set_column (lazy_xlsx()->worksheet_set_column)
#define worksheet_set_landscape (lazy_xlsx()->worksheet_set_landscape)
#define worksheet_write_number (lazy_xlsx()->worksheet_write_number)
#define worksheet_write_string (lazy_xlsx()->worksheet_write_string)
#define worksheet_write_url_opt (lazy_xlsx()->worksheet_write_url_opt)
#endif

#endif
