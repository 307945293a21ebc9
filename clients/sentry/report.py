import sentry_sdk


def without_machine(event, _hint):
    """Leaves out what describes the machine that the program runs on."""
    for part in ("modules", "contexts", "extra"):
        event.pop(part, None)
    return event


# The DSN is in SENTRY_DSN.
sentry_sdk.init(
    release="shop@1.4.2",
    environment="staging",
    server_name="pod-7f9c",
    before_send=without_machine,
)

# Code whose frames are the same wherever the program runs.
source = """
def charge(card):
    raise ValueError('The card is missing')

def pay(order):
    try:
        charge(order)
    except ValueError as error:
        raise RuntimeError('Payment failed') from error
"""
scope = {"__name__": "pay"}
exec(compile(source, "/app/src/pay.py", "exec"), scope)
try:
    scope["pay"]({"password": "hunter2"})
except RuntimeError:
    with sentry_sdk.push_scope() as reported:
        reported.set_user({"id": "usr_1"})
        sentry_sdk.capture_exception()
sentry_sdk.capture_message("Stock is low", "warning")
sentry_sdk.flush()
print(sentry_sdk.VERSION)
