"""The Python client before the newest (novu, on requests) against a server in the dialect."""

import importlib
import importlib.metadata
import pathlib
import re
import sys
import time
import types

import requests

url, key, folder = sys.argv[1:4]

# The client asks which version of it is installed. It runs from its source, so its own file says it.
version = re.search(r'^version = "([^"]+)"', pathlib.Path(folder, "pyproject.toml").read_text(), re.M).group(1)
sys.modules["pkg_resources"] = types.SimpleNamespace(get_distribution=lambda _: types.SimpleNamespace(version=version))

from novu import api as client  # noqa: E402
from novu.dto.event import InputEventDto  # noqa: E402
from novu.dto.integration import IntegrationDto  # noqa: E402
from novu.dto.subscriber import SubscriberDto  # noqa: E402
from novu.dto.topic import TriggerTopicDto  # noqa: E402

called = set()


def watched(name):
    """Notes the methods that are called and do not fail."""
    real = getattr(importlib.import_module(f"novu.api.{module_of(name)}"), name)(url, key)

    class Watched:
        def __getattr__(self, method):
            found = getattr(real, method)

            def call(*given, **named):
                try:
                    reply = found(*given, **named)
                except requests.HTTPError as error:
                    error.add_note(f"{name}.{method}: {error.response.text}")
                    raise
                if isinstance(reply, types.GeneratorType):
                    reply = list(reply)
                called.add(f"{name}.{method}")
                return reply

            return call

    return Watched()


def module_of(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name[: -len("Api")]).lower()


def refused(status, call):
    try:
        call()
    except requests.HTTPError as error:
        assert error.response.status_code == status, error.response.text
        return
    raise AssertionError(f"not refused with {status}")


def same(found, wanted):
    assert found == wanted, f"{found!r} is not {wanted!r}"


people = watched("SubscriberApi")
topics = watched("TopicApi")
events = watched("EventApi")
messages = watched("MessageApi")
activity = watched("NotificationApi")
tenants = watched("TenantApi")
integrations = watched("IntegrationApi")
environments = watched("EnvironmentApi")
organizations = watched("OrganizationApi")
session = requests.Session()
session.headers.update({"Authorization": f"ApiKey {key}", "tidings-replies": "own"})


def arrange():
    bell = {"name": "Bell", "type": "in_app", "controlValues": {"body": "Hello", "primaryAction": {"label": "Go"}}}
    wait = {"name": "Wait", "type": "delay", "controlValues": {"type": "regular", "amount": 1, "unit": "days"}}
    for workflow_id, steps in [("greeting", [bell]), ("later", [wait, bell])]:
        made = session.post(f"{url}/v2/workflows", json={"workflowId": workflow_id, "name": workflow_id, "steps": steps})
        same(made.status_code, 201)


def subscribers():
    ann = people.create(SubscriberDto("ann", email="ann@example.com", first_name="Ann", data={"plan": "pro"}))
    same((ann.subscriber_id, ann.first_name, ann.data), ("ann", "Ann", {"plan": "pro"}))
    same(people.get("ann")._id, ann._id)
    same(people.put(SubscriberDto("ann", last_name="Lee")).last_name, "Lee")
    bulk = people.bulk_create([SubscriberDto("bob"), SubscriberDto("cleo")])
    same([row.subscriber_id for row in bulk.created], ["bob", "cleo"])
    listed = people.list()
    same([row.subscriber_id for row in listed.data if row.subscriber_id in ("ann", "bob", "cleo")], ["ann", "bob", "cleo"])
    people.bulk_create([SubscriberDto(f"p{n}") for n in range(25)])
    same(len({row.subscriber_id for row in people.stream()}) >= 28, True)
    same(people.online_status("ann", True).is_online, True)
    set_to = people.credentials("ann", "novu-slack", webhook_url="https://hooks.example.com/a")
    same([channel.provider_id for channel in set_to.channels], ["novu-slack"])
    people.delete_credentials("ann", "novu-slack")
    people.delete("cleo")
    refused(404, lambda: people.get("cleo"))


def preferences():
    found = [row for row in people.preferences("ann") if row.template.name == "greeting"]
    same([(row.preference.enabled, row.preference.channels.in_app) for row in found], [(True, True)])
    off = people.change_channel_preference("ann", found[0].template._id, "in_app", False)
    same(off.preference.enabled, True)
    same(people.change_preference_state("ann", "greeting", False).preference.enabled, False)
    people.change_channel_preference("ann", "greeting", "in_app", True)
    people.change_preference_state("ann", "greeting", True)


def groups():
    same(topics.create("news", "News").key, "news")
    same(topics.subscribe("news", ["ann", "nobody"]), (["ann"], {"notFound": ["nobody"]}))
    same(topics.get("news").subscribers, ["ann"])
    same((topics.subscribed("news", "ann"), topics.subscribed("news", "bob")), (True, False))
    same(topics.rename("news", "Daily").name, "Daily")
    page = topics.list(limit=5)
    same((page.total_count, [row.key for row in page.data]), (1, ["news"]))


def sending():
    same(events.trigger("greeting", "ann", {"n": 1}, transaction_id="t-1").transaction_id, "t-1")
    same(len(events.trigger_bulk([InputEventDto("greeting", "ann", {}), InputEventDto("greeting", ["ann"], {})])), 2)
    same(events.trigger_topic("greeting", TriggerTopicDto("news", "Topic"), {}).acknowledged, True)
    same(events.broadcast("greeting", {}).acknowledged, True)
    same(events.trigger("later", "ann", {}, transaction_id="later-1").acknowledged, True)
    until = time.time() + 30
    while people.unseen_notifications("ann") < 5 and time.time() < until:
        time.sleep(0.2)
    same(people.unseen_notifications("ann"), 5)
    events.delete("later-1")


def feed():
    [message, *_] = [row for row in messages.list(subscriber_id="ann").data if row.channel == "in_app"]
    same(len(list(messages.stream(subscriber_id="ann"))) == 5, True)
    same(people.mark_as("ann", message._id, seen=True).seen, True)
    same(people.mark_all_as("ann", "read"), 5)
    people.mark_message_action("ann", message._id, "primary", "done")
    same(messages.delete(message._id), True)
    same([row.transaction_id for row in activity.list(transaction_id="t-1").data], ["t-1"])
    [event] = activity.list(transaction_id="t-1").data
    same(activity.get(event._id).transaction_id, "t-1")


def customers():
    same(tenants.create("acme", "Acme", {"plan": "pro"}).identifier, "acme")
    same(tenants.get("acme").data, {"plan": "pro"})
    same(tenants.patch("acme", name="ACME").name, "ACME")
    same([row.identifier for row in tenants.list().data], ["acme"])
    same([row.identifier for row in tenants.stream()], ["acme"])
    tenants.delete("acme")


def accounts():
    made = integrations.create(IntegrationDto("novu-email", "email", True, credentials={}), check=False)
    same((made.provider_id, made.active), ("novu-email", True))
    same(made._id in [row._id for row in integrations.list()], True)
    same(integrations.update(made, check=False)._id, made._id)
    same(integrations.set_primary(made._id)._id, made._id)
    integrations.delete(made._id)


def places():
    made = environments.create("Copy")
    same(made.name, "Copy")
    same("Copy" in [row.name for row in environments.list()], True)
    same(environments.current()._id in [row._id for row in environments.list()], True)
    same(bool(organizations.current().name), True)
    topics.unsubscribe("news", "ann")
    topics.delete("news")


for part in [arrange, subscribers, preferences, groups, sending, feed, customers, accounts, places]:
    part()
    print(f"{part.__name__}: as expected", flush=True)
print(f"novu {version}: {len(called)} methods called: {', '.join(sorted(called))}")
