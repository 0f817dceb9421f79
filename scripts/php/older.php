<?php
// The PHP client before the newest, against a server in the dialect. It sends form fields and reads `data`.

[, $url, $key, $folder] = $argv;
error_reporting(E_ALL & ~E_DEPRECATED);

$vendor = "$folder/vendor/autoload.php";
require file_exists($vendor) ? $vendor : 'GuzzleHttp/autoload.php';
spl_autoload_register(function ($class) use ($folder) {
    $file = "$folder/src/" . str_replace(['Novu\\SDK\\', '\\'], ['', '/'], $class) . '.php';
    if (str_starts_with($class, 'Novu\\SDK\\') && file_exists($file)) require $file;
});

/** Notes the methods that are called and do not fail. */
class Watched
{
    public array $called = [];

    public function __construct(private object $real)
    {
    }

    public function __call($method, $given)
    {
        $reply = $this->real->$method(...$given);
        $this->called[$method] = true;
        return $reply;
    }
}

function same($found, $wanted)
{
    if ($found === $wanted) return;
    fwrite(STDERR, json_encode($found) . ' is not ' . json_encode($wanted) . "\n" . (new Exception())->getTraceAsString() . "\n");
    exit(1);
}

function notFound(callable $call)
{
    try {
        $call();
    } catch (Novu\SDK\Exceptions\NotFound) {
        return;
    }
    same('found', 'not found');
}

$novu = new Watched(new Novu\SDK\Novu(['apiKey' => $key, 'baseUri' => "$url/v1/"]));
$own = new GuzzleHttp\Client(['headers' => ['Authorization' => "ApiKey $key", 'tidings-replies' => 'own']]);
$bell = ['name' => 'Bell', 'type' => 'in_app', 'controlValues' => ['body' => 'Hello', 'primaryAction' => ['label' => 'Go']]];
$wait = ['name' => 'Wait', 'type' => 'delay', 'controlValues' => ['type' => 'regular', 'amount' => 1, 'unit' => 'days']];
foreach (['greeting' => [$bell], 'later' => [$wait, $bell]] as $id => $steps) {
    $own->post("$url/v2/workflows", ['json' => ['workflowId' => $id, 'name' => $id, 'steps' => $steps]]);
}

$ann = $novu->createSubscriber(['subscriberId' => 'ann', 'firstName' => 'Ann', 'data' => ['plan' => 'pro']]);
same([$ann->subscriberId, $ann->firstName, $ann->data], ['ann', 'Ann', ['plan' => 'pro']]);
same($novu->getSubscriber('ann')->firstName, 'Ann');
same($novu->updateSubscriber('ann', ['lastName' => 'Lee'])->lastName, 'Lee');
$bulk = $novu->bulkCreateSubscribers([['subscriberId' => 'bob'], ['subscriberId' => 'cleo']]);
same(array_column($bulk['created'], 'subscriberId'), ['bob', 'cleo']);
same(in_array('cleo', array_column($novu->getSubscriberList()->data, 'subscriberId')), true);
$slack = ['providerId' => 'novu-slack', 'credentials' => ['webhookUrl' => 'https://hooks.example.com/a']];
same($novu->updateSubscriberCredentials('ann', $slack)->channels[0]['providerId'], 'novu-slack');
same($novu->updateSubscriberOnlineStatus('ann', true)->isOnline, true);
same($novu->deleteSubscriber('cleo')->acknowledged, true);
notFound(fn () => $novu->getSubscriber('cleo'));
echo "subscribers: as expected\n";

same($novu->createTopic(['key' => 'news', 'name' => 'News'])->key, 'news');
same($novu->addSubscribersToTopic('news', ['ann', 'nobody']), ['succeeded' => ['ann'], 'failed' => ['notFound' => ['nobody']]]);
same($novu->topic('news')->subscribers, ['ann']);
same($novu->renameTopic('news', 'Daily')['name'], 'Daily');
same(array_column($novu->getTopics(), 'key'), ['news']);
$novu->removeSubscribersFromTopic('news', ['ann']);
same($novu->topic('news')->subscribers, []);
echo "topics: as expected\n";

$sent = $novu->triggerEvent(['name' => 'greeting', 'to' => ['subscriberId' => 'ann'], 'payload' => ['n' => 1], 'transactionId' => 't-1']);
same([$sent->acknowledged, $sent->transactionId], [true, 't-1']);
$novu->bulkTriggerEvent([['name' => 'greeting', 'to' => 'ann', 'payload' => ['n' => 2]], ['name' => 'greeting', 'to' => 'ann']]);
same($novu->broadcastEvent(['name' => 'greeting', 'payload' => ['n' => 3]])->acknowledged, true);
$novu->triggerEvent(['name' => 'later', 'to' => 'ann', 'transactionId' => 'later-1']);
for ($until = time() + 30; time() < $until && $novu->getUnseenNotificationCountForSubscriber('ann')->count < 4;) usleep(200_000);
same($novu->getUnseenNotificationCountForSubscriber('ann')->count, 4);
same($novu->cancelEvent('later-1'), true);
same($novu->cancelEvent('later-1'), false);
echo "events: as expected\n";

$feed = $novu->getNotificationFeedForSubscriber('ann')->data;
same(count($feed), 4);
$pressed = $novu->markSubscriberMessageActionAsSeen('ann', $feed[0]['_id'], 'primary', ['status' => 'done']);
same($pressed->cta['action']['status'], 'done');
same($novu->getMessages(['subscriberId' => 'ann'])['totalCount'] >= 4, true);
same($novu->deleteMessage($feed[0]['_id'])->acknowledged, true);
$events = $novu->getNotifications(['transactionId' => 't-1'])->data;
same(array_column($events, 'transactionId'), ['t-1']);
same($novu->getNotification($events[0]['_id'])->transactionId, 't-1');
$preferences = $novu->getSubscriberPreferences('ann')->attributes;
same(in_array('greeting', array_column(array_column($preferences, 'template'), 'name')), true);
echo "feed: as expected\n";

same($novu->createTenant(['identifier' => 'acme', 'name' => 'Acme', 'data' => ['plan' => 'pro']])->data, ['plan' => 'pro']);
same($novu->updateTenant('acme', ['name' => 'ACME'])->name, 'ACME');
same(array_column($novu->getTenantList()->data, 'identifier'), ['acme']);
$slack = $novu->createIntegration(['providerId' => 'slack', 'channel' => 'chat', 'credentials' => ['clientId' => 'a', 'secretKey' => 'b']]);
same([$slack->providerId, $slack->channel], ['slack', 'chat']);
same(in_array($slack->_id ?? $slack->attributes['_id'], array_column($novu->getIntegrations()->attributes, '_id')), true);
$novu->getActiveIntegrations();
same($novu->updateIntegration($slack->attributes['_id'], ['name' => 'Chat'])->name, 'Chat');
$novu->deleteIntegration($slack->attributes['_id']);
same($novu->createEnvironment(['name' => 'Copy'])->name, 'Copy');
same(in_array('Copy', array_column($novu->getEnvironments()->attributes, 'name')), true);
echo "accounts: as expected\n";
echo count($novu->called) . ' methods called: ' . implode(', ', array_keys($novu->called)) . "\n";
