"""What all tests rely on."""

import signal

# a shell that runs the tests in the background has them ignore Ctrl-C, and so would every process that a test interrupts
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
