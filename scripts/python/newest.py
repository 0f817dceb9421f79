"""The newest Python client (novu-py) against a server in the dialect: it checks every reply against models of its own."""

import re
import sys
import time
import urllib.request
import json
from pathlib import Path

import httpx
import novu_py
from novu_py import Novu

url, key, folder = sys.argv[1:4]
succeeded = set()


def note(response):
    if response.is_success:
        succeeded.add(f"{response.request.method} {response.request.url.path}")


http = httpx.Client(event_hooks={"response": [note]}, timeout=30)
novu = Novu(secret_key=key, server_url=url, client=http, retry_config=None)


def refused(status, call):
    try:
        call()
    except novu_py.NovuError as error:
        assert error.status_code == status, (error.status_code, error.message)
        return
    raise AssertionError(f"not refused with {status}")


def same(found, wanted):
    assert found == wanted, f"{found!r} is not {wanted!r}"


def subscribers():
    it = novu.subscribers
    ann = {"subscriber_id": "ann", "first_name": "Ann", "email": "ann@example.com", "data": {"plan": "pro"}}
    made = it.create(create_subscriber_request_dto=ann).result
    same((made.subscriber_id, made.first_name, made.data), ("ann", "Ann", {"plan": "pro"}))
    refused(409, lambda: it.create(create_subscriber_request_dto=ann, fail_if_exists=True))
    same(it.retrieve(subscriber_id="ann").result.id, made.id)
    same(it.patch(subscriber_id="ann", patch_subscriber_request_dto={"last_name": "Lee"}).result.last_name, "Lee")
    bulk = it.create_bulk(bulk_subscriber_create_dto={"subscribers": [{"subscriber_id": "bob"}, {"subscriber_id": "cleo"}]})
    same([row.subscriber_id for row in bulk.result.created], ["bob", "cleo"])
    same([row.subscriber_id for row in it.search(request={"email": "ann@"}).result.data], ["ann"])
    slack = {"provider_id": "novu-slack", "credentials": {"webhook_url": "https://hooks.example.com/a"}}
    it.credentials.update(subscriber_id="ann", update_subscriber_channel_request_dto=slack)
    channels = it.credentials.append(subscriber_id="ann", update_subscriber_channel_request_dto=slack).result.channels
    same([channel.provider_id for channel in channels], ["novu-slack"])
    it.credentials.delete(subscriber_id="ann", provider_id="novu-slack")
    flag = {"is_online": True}
    same(it.properties.update_online_flag(subscriber_id="ann", update_subscriber_online_flag_request_dto=flag).result.is_online, True)
    it.delete(subscriber_id="cleo")
    refused(404, lambda: it.retrieve(subscriber_id="cleo"))


def topics():
    it = novu.topics
    same(it.create(create_update_topic_request_dto={"key": "news", "name": "News"}).result.key, "news")
    same(it.update(topic_key="news", update_topic_request_dto={"name": "Daily"}).result.name, "Daily")
    same(it.get(topic_key="news").result.name, "Daily")
    same([row.key for row in it.list(request={}).result.data], ["news"])
    added = it.subscriptions.create(topic_key="news", create_topic_subscriptions_request_dto={"subscriptions": ["ann", "nobody"]})
    same((added.result.meta.successful, added.result.meta.failed), (1, 1))
    [subscription] = it.subscriptions.list(request={"topic_key": "news"}).result.data
    identifier = subscription.identifier
    same(it.subscriptions.get_subscription(topic_key="news", identifier=identifier).result.identifier, identifier)
    it.subscriptions.update(topic_key="news", identifier=identifier, update_topic_subscription_request_dto={"name": "Mine"})
    same(it.subscribers.retrieve(topic_key="news", external_subscriber_id="ann").result.external_subscriber_id, "ann")
    same([row.topic.key for row in novu.subscribers.topics.list(request={"subscriber_id": "ann"}).result.data], ["news"])
    it.subscriptions.delete(topic_key="news", delete_topic_subscriptions_request_dto={"subscriptions": ["ann"]})
    it.delete(topic_key="news")


def workflows():
    it = novu.workflows
    action = {"label": "Go", "redirect": {"url": "/go"}}
    bell = {"name": "Bell", "step_id": "bell", "type": "in_app", "control_values": {"body": "Hello {{payload.n}}", "primary_action": action}}
    made = it.create(create_workflow_dto={"workflow_id": "greeting", "name": "Hello", "steps": [bell], "tags": ["a"], "active": True})
    same(made.result.origin, "novu-cloud")
    same("greeting" in [row.workflow_id for row in it.list(request={}).result.workflows], True)
    same(it.get(workflow_id="greeting").result.name, "Hello")
    changed = {"name": "Hello!", "steps": [bell], "tags": ["a"], "preferences": {"user": None}, "origin": "novu-cloud", "active": True}
    same(it.update(workflow_id="greeting", update_workflow_dto=changed).result.name, "Hello!")
    same(it.patch(workflow_id="greeting", patch_workflow_dto={"name": "Hello"}).result.name, "Hello")
    it.steps.generate_preview(workflow_id="greeting", step_id="bell", generate_preview_request_dto={})
    wait = {"name": "Wait", "type": "delay", "control_values": {"type": "regular", "amount": 1, "unit": "days"}}
    it.create(create_workflow_dto={"workflow_id": "later", "name": "Later", "steps": [wait, bell], "active": True})
    it.create(create_workflow_dto={"workflow_id": "gone", "name": "Gone", "steps": [bell]})
    it.delete(workflow_id="gone")
    refused(404, lambda: it.get(workflow_id="gone"))


def events():
    one = {"workflow_id": "greeting", "to": "ann", "payload": {"n": 1}, "transaction_id": "t-1"}
    same(novu.trigger(trigger_event_request_dto=one).result.transaction_id, "t-1")
    many = {"events": [{"workflow_id": "greeting", "to": "ann", "payload": {"n": n}} for n in range(5)]}
    same(len(novu.trigger_bulk(bulk_trigger_event_dto=many).result), 5)
    every = {"name": "greeting", "payload": {"n": 9}}
    same(novu.trigger_broadcast(trigger_event_to_all_request_dto=every).result.acknowledged, True)
    novu.trigger(trigger_event_request_dto={"workflow_id": "later", "to": "ann", "transaction_id": "later-1"})
    until = time.time() + 30
    while count() < 7 and time.time() < until:
        time.sleep(0.2)
    same(count(), 7)
    same(novu.cancel(transaction_id="later-1").result, True)
    same(novu.cancel(transaction_id="later-1").result, False)


def count():
    counts = novu.subscribers.notifications.count(subscriber_id="ann", filters="[{}]").result
    return int(counts[0].count)


def feed():
    it = novu.subscribers.notifications
    [first, second, *_] = it.list(request={"subscriber_id": "ann", "limit": 10}).result.data
    named = {"subscriber_id": "ann", "notification_id": first.id}
    same(it.mark_as_read(**named).result.is_read, True)
    same(it.mark_as_unread(**named).result.is_read, False)
    same(it.archive(**named).result.is_archived, True)
    same(it.unarchive(**named).result.is_archived, False)
    later = {**named, "snooze_subscriber_notification_dto": {"snooze_until": "2126-01-01T00:00:00.000Z"}}
    same(it.snooze(request=later).result.is_snoozed, True)
    same(it.unsnooze(**named).result.is_snoozed, False)
    it.complete_action(request={**named, "action_type": "primary"})
    it.revert_action(request={**named, "action_type": "primary"})
    it.delete(subscriber_id="ann", notification_id=second.id)
    it.mark_as_seen(subscriber_id="ann", mark_subscriber_notifications_as_seen_dto={"notification_ids": [first.id]})
    it.mark_all_as_read(subscriber_id="ann", update_all_subscriber_notifications_dto={})
    older = it.feed(request={"subscriber_id": "ann", "limit": 3}).result
    same((older.total_count, older.page_size), (6, 3))
    same(it.unseen_count(subscriber_id="ann").result.count, 0)
    message = older.data[0].id
    marks = novu.subscribers.messages
    marks.mark_all_as(subscriber_id="ann", message_mark_as_request_dto={"message_id": message, "mark_as": "unread"})
    marks.mark_all(subscriber_id="ann", mark_all_message_as_request_dto={"mark_as": "read"})
    pressed = {"subscriber_id": "ann", "message_id": message, "type": "primary", "mark_message_action_as_seen_dto": {"status": "done"}}
    marks.update_as_seen(request=pressed)
    it.archive_all_read(subscriber_id="ann", update_all_subscriber_notifications_dto={})
    it.archive_all(subscriber_id="ann", update_all_subscriber_notifications_dto={})
    it.delete_all(subscriber_id="ann", update_all_subscriber_notifications_dto={})
    same(count(), 0)


def preferences():
    it = novu.subscribers.preferences
    same(it.list(subscriber_id="ann").result.global_.enabled, True)
    off = {"channels": {"email": False}}
    same(it.update(subscriber_id="ann", patch_subscriber_preferences_dto=off).result.global_.channels.email, False)
    many = {"preferences": [{"workflow_id": "greeting", "channels": {"in_app": False}}]}
    [changed] = it.bulk_update(subscriber_id="ann", bulk_update_subscriber_preferences_dto=many).result
    same(changed.channels.in_app, False)


def history():
    [event] = novu.notifications.list(request={"transaction_id": "t-1"}).result.data
    same(novu.notifications.retrieve(notification_id=event.id).result.transaction_id, "t-1")
    novu.trigger(trigger_event_request_dto={"workflow_id": "greeting", "to": "bob"})
    [message, *_] = novu.messages.retrieve(request={"subscriber_id": "bob"}).result.data
    same(novu.messages.delete(message_id=message.id).result.acknowledged, True)


def integrations():
    it = novu.integrations
    mail = {"provider_id": "novu-email", "channel": "email", "active": True}
    made = it.create(create_integration_request_dto=mail).result
    same(made.provider_id, "novu-email")
    same(it.update(integration_id=made.id, update_integration_request_dto={"name": "Mail"}).result.name, "Mail")
    same(made.id in [row.id for row in it.list().result], True)
    same(made.id in [row.id for row in it.list_active().result], True)
    same(it.set_as_primary(integration_id=made.id).result.primary, True)
    it.delete(integration_id=made.id)
    credentials = {"client_id": "client", "secret_key": "client-secret-0001"}
    it.create(create_integration_request_dto={"provider_id": "slack", "channel": "chat", "active": True, "credentials": credentials})
    refused(422, lambda: it.create(create_integration_request_dto={"provider_id": "sendgrid", "channel": "sms"}))


def channels():
    it = novu.channel_connections
    workspace = {"id": "T1", "name": "Acme"}
    auth = {"access_token": "xoxb-1"}
    connection = {"identifier": "acme", "connection_mode": "shared", "integration_identifier": "slack", "workspace": workspace, "auth": auth}
    same(it.create(create_channel_connection_request_dto=connection).result.identifier, "acme")
    same([row.identifier for row in it.list(request={}).result.data], ["acme"])
    same(it.retrieve(identifier="acme").result.workspace.id, "T1")
    it.update(identifier="acme", update_channel_connection_request_dto={"workspace": workspace, "auth": auth})
    ends = novu.channel_endpoints
    slack = {"identifier": "c1", "subscriber_id": "ann", "integration_identifier": "slack", "type": "slack_channel", "endpoint": {"channel_id": "C1"}}
    ends.create(request_body=slack)
    same([row.identifier for row in ends.list(request={}).result.data], ["c1"])
    same(ends.retrieve(identifier="c1").result.subscriber_id, "ann")
    ends.update(identifier="c1", update_channel_endpoint_request_dto={"endpoint": {"channel_id": "C2"}})
    ends.delete(identifier="c1")
    it.delete(identifier="acme")
    begin = {"integration_identifier": "slack", "subscriber_id": "ann"}
    address = novu.integrations.generate_chat_o_auth_url(generate_chat_oauth_url_request_dto=begin).result.url
    same(address.startswith("https://slack.com/oauth/"), True)


def layouts():
    it = novu.layouts
    same(it.create(create_layout_dto={"layout_id": "brand", "name": "Brand"}).result.layout_id, "brand")
    same(it.retrieve(layout_id="brand").result.name, "Brand")
    body = "<html><body>{{content}}</body></html>"
    changed = {"name": "Brand 2", "control_values": {"email": {"body": body, "editor_type": "html"}}}
    same(it.update(layout_id="brand", update_layout_dto=changed).result.name, "Brand 2")
    it.generate_preview(layout_id="brand", layout_preview_request_dto={})
    same(it.duplicate(layout_id="brand", duplicate_layout_dto={"name": "Copy"}).result.layout_id, "copy")
    same(it.usage(layout_id="brand").result.workflows, [])
    same(len(it.list(request={}).result.layouts), 2)
    it.delete(layout_id="copy")


def translations():
    novu.workflows.patch(workflow_id="greeting", patch_workflow_dto={"is_translation_enabled": True})
    it = novu.translations
    workflow = {"resource_id": "greeting", "resource_type": "workflow"}
    it.create(create_translation_request_dto={**workflow, "locale": "de_AT", "content": {"title": "Servus"}})
    same(it.retrieve(**workflow, locale="de_AT").content, {"title": "Servus"})
    same(it.groups.retrieve(**workflow).locales, ["de_AT"])
    it.master.retrieve(locale="de_AT")
    it.master.import_master_json(import_master_json_request_dto={"locale": "it_IT", "master_json": {"workflows": {"greeting": {"title": "Ciao"}}}})
    it.delete(**workflow, locale="de_AT")
    it.groups.delete(**workflow)


def values():
    it = novu.contexts
    same(it.create(create_context_request_dto={"type": "tenant", "id": "acme", "data": {"plan": "gold"}}).result.data, {"plan": "gold"})
    named = {"type_": "tenant", "id": "acme"}
    same(it.update(**named, update_context_request_dto={"data": {"plan": "lead"}}).result.data, {"plan": "lead"})
    same(it.retrieve(**named).result.id, "acme")
    same([row.id for row in it.list(request={}).result.data], ["acme"])
    it.delete(**named)
    it = novu.environment_variables
    same(it.create(create_environment_variable_request_dto={"key": "SHOP"}).result.key, "SHOP")
    it.update(variable_key="SHOP", update_environment_variable_request_dto={"is_secret": True})
    same(it.retrieve(variable_key="SHOP").result.is_secret, True)
    same([row.key for row in it.list().result], ["SHOP"])
    same(it.usage(variable_key="SHOP").result.workflows, [])
    it.delete(variable_key="SHOP")
    novu.messages.delete_by_transaction_id(transaction_id="t-1")
    same(novu.workflows.steps.retrieve(workflow_id="greeting", step_id="bell").result.step_id, "bell")


def environments():
    it = novu.environments
    made = it.create(create_environment_request_dto={"name": "Copy", "color": "#16a34a"}).result
    same(it.update(environment_id=made.id, update_environment_request_dto={"name": "Copied"}).result.name, "Copied")
    same("Copied" in [row.name for row in it.list().result], True)
    tags = [tag.name for row in it.list().result for tag in it.get_tags(environment_id=row.id).result]
    same("a" in tags, True)
    same(it.diff(target_environment_id=made.id, diff_environment_request_dto={}).result.summary.has_changes, True)
    novu.workflows.sync(workflow_id="greeting", sync_workflow_dto={"target_environment_id": made.id})
    same(it.publish(target_environment_id=made.id, publish_environment_request_dto={}).result.summary.failed, 0)
    it.delete(environment_id=made.id)


for part in [subscribers, topics, workflows, events, feed, preferences, history, integrations, channels, layouts, translations, values, environments]:
    part()
    print(f"{part.__name__}: as expected", flush=True)

# What the client's own files say it can call, and what the server says it has.
source = "".join(path.read_text() for path in Path(folder, "src/novu_py").glob("*.py"))
operations = set(re.findall(r'method="([A-Z]+)",\s+path="([^"]+)"', source))
served = json.load(urllib.request.urlopen(f"{url}/openapi.json"))["paths"]
plain = lambda path: re.sub(r"\{\w+\}", "{}", path)
ours = {f"{method.upper()} {plain(path)}" for path, methods in served.items() for method in methods}
known = [(method, path) for method, path in sorted(operations) if f"{method} {plain(path)}" in ours]
wanting = [
    f"{method} {path}"
    for method, path in known
    if not any(re.fullmatch(f"{method} " + re.sub(r"\{\w+\}", "[^/]+", path), call) for call in succeeded)
]
# The client cannot send files: its own hook reads the body of the form before it is made.
not_tried = {"POST /v2/translations/upload", "POST /v2/translations/master-json/upload"}
# Only a vendor can sign it.
not_tried.add("POST /v2/inbound-webhooks/delivery-providers/{environmentId}/{integrationId}")
print(f"novu-py {novu_py.__version__}: {len(operations)} operations, {len(known)} served, {len(known) - len(wanting)} called")
if set(wanting) - not_tried:
    sys.exit(f"not called: {wanting}")
