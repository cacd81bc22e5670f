"""TAP for the check_*.py scripts: test() runs one test and prints its line, end() prints the plan and ends the script."""
import sys

done = failed = 0


def test(name, function, *args):
    global done, failed
    done += 1
    try:
        function(*args)
        print('ok %d - %s' % (done, name))
    except Exception as e:              # a test may fail in any way
        failed += 1
        print('not ok %d - %s: %s: %s' % (done, name, type(e).__name__, str(e)[:1500].replace('\n', ' ')))
    sys.stdout.flush()


def skip(name, why):
    global done
    done += 1
    print('ok %d - %s # SKIP %s' % (done, name, why))


def end():
    print('1..%d' % done)
    sys.exit(1 if failed else 0)
