"""The bash completion, driven as bash drives it. Reports in TAP."""
import os
import shutil
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCRIPT = r'''
PATH=%s:$PATH
. completions/rtreport.bash
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rtreport 2>/dev/null; echo "${COMPREPLY[*]}"; }
try %s
'''
CASES = (
    ('commands', 'rtreport val', lambda w: w == ['validate']),
    ('options of the command', 'rtreport parse --pr', lambda w: w == ['--pretty', '--progress']),
    ('options of the default command', 'rtreport file.txt --pr', lambda w: w == ['--progress']),
    ('formats that are read', 'rtreport parse --from = cyclict', lambda w: w == ['cyclictest']),
    ('formats that are written', 'rtreport render --to mark', lambda w: w == ['markdown']),
    ('words of an option', 'rtreport parse --samples = a', lambda w: w == ['all']),
    ('files', 'rtreport parse READ', lambda w: w == (['README.md'] if os.path.exists('README.md') else [])),
)


def main():
    bash = shutil.which('bash')
    print('1..%d' % len(CASES))
    for i, (name, words, right) in enumerate(CASES, 1):
        if not bash:
            print('ok %d - %s # SKIP no bash' % (i, name))
            continue
        quoted = ' '.join("'%s'" % w for w in words.split(' '))
        p = subprocess.run([bash, '-c', SCRIPT % (os.environ['RTREPORT_BUILD'], quoted)], cwd=TOP,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        got = p.stdout.decode().split()
        print('%sok %d - completes %s' % ('' if right(got) else 'not ', i, name))
        if not right(got):
            print('# got: %s %s' % (' '.join(got), p.stderr.decode()))


if __name__ == '__main__':
    os.chdir(TOP)
    main()
