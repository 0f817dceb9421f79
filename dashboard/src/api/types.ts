// Made from docs/openapi.json by npm run generate; do not edit.

export interface paths {
    "/v1/activity/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Server-sent events that say {"changed": cursor} when something changed in the environment, at most once a second */
        get: operations["activity-stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the API keys of the environment, live ones first, then the revoked, newest first; never their text */
        get: operations["api-keys-list"];
        put?: never;
        /** Make an API key that may do everything, to change over to, or less, for one program; its text is shown this once */
        post: operations["api-keys-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key; every node refuses it, and the sessions opened with it, within 5 seconds */
        delete: operations["api-keys-revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bridge/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a sync with this bridge would change; nothing is changed */
        post: operations["bridge-diff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bridge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The bridge of the environment, and whether it answers */
        get: operations["bridge-get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bridge/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask the bridge which workflows its code has: they are there then, and those that it has no more are deleted */
        post: operations["bridge-sync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bridge/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Whether a bridge answers at this address, takes our signature and tells of its workflows */
        post: operations["bridge-validate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/changes/actors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who made the latest 10,000 changes: people, keys, links and commands, whoever did something last first */
        get: operations["changes-actors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/changes/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The record of changes as JSON lines, oldest first */
        get: operations["changes-export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The record of changes: who changed what, where and when */
        get: operations["changes-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/chat/oauth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The older form of channel-connections/oauth and channel-endpoints/oauth in one */
        post: operations["channel-connections-chat-oauth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channel-connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List channel connections: the workspaces that installed an app */
        get: operations["channel-connections-list"];
        put?: never;
        /** Add a workspace whose tokens you have already */
        post: operations["channel-connections-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channel-connections/{identifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a channel connection */
        get: operations["channel-connections-get"];
        put?: never;
        post?: never;
        /** Delete a channel connection, its tokens and its endpoints */
        delete: operations["channel-connections-delete"];
        options?: never;
        head?: never;
        /** Give a channel connection new tokens; what was refused before is tried again */
        patch: operations["channel-connections-update"];
        trace?: never;
    };
    "/v1/integrations/channel-endpoints/oauth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The address at the vendor where a subscriber says who they are there */
        post: operations["channel-connections-link-oauth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/channel-connections/oauth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The address at the vendor where somebody installs the app in a workspace */
        post: operations["channel-connections-oauth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/chat/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where vendors send people back who agreed to install an app or to be linked */
        get: operations["channel-connections-oauth-callback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channel-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List channel endpoints */
        get: operations["channel-endpoints-list"];
        put?: never;
        /** Say where a subscriber is reached through an integration */
        post: operations["channel-endpoints-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/channel-endpoints/{identifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a channel endpoint */
        get: operations["channel-endpoints-get"];
        put?: never;
        post?: never;
        /** Delete a channel endpoint: nothing is sent there any more */
        delete: operations["channel-endpoints-delete"];
        options?: never;
        head?: never;
        /** Move a channel endpoint to another place of the same type */
        patch: operations["channel-endpoints-update"];
        trace?: never;
    };
    "/v1/integrations/channel-endpoints/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The address that a subscriber opens to be known to a bot (Telegram) */
        post: operations["channel-endpoints-link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All workflows, layouts and translations of this environment, as files hold them */
        get: operations["content-get"];
        put?: never;
        /** Make workflows, layouts and translations what files say: all of it, or nothing; what no file names stays */
        post: operations["content-apply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List messages that were given up, newest first */
        get: operations["dead-letters-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dead-letters/redrive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send messages again that were given up: those named, or all that fit the filter */
        post: operations["dead-letters-redrive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/dev/mailbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What platform-email and platform-sms delivered, newest first (development); invitations and resets to owners only */
        get: operations["dev-mailbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/environment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The environment of this key: the public identifier that inboxes name, and what they must prove */
        get: operations["environment-get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change whose translations stand where a reader’s own language has none */
        patch: operations["environment-update"];
        trace?: never;
    };
    "/v1/environment/large-sends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What large sends of this environment are bounded by */
        get: operations["environment-large-sends-get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change what large sends are bounded by; what is not given stays. Sends that have begun keep theirs */
        patch: operations["environment-large-sends-update"];
        trace?: never;
    };
    "/v1/environment/signing-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a new secret for hashes of the inbox, in place of the one before; it is shown only now */
        post: operations["environment-signing-secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/environment-variables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the variables of templates, with their values in the environments that this key can get at */
        get: operations["environment-variables-list"];
        put?: never;
        /** Create a variable of templates ({{env.KEY}}), with a value for each environment */
        post: operations["environment-variables-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/environment-variables/{variableKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a variable of templates; a secret is masked */
        get: operations["environment-variables-get"];
        put?: never;
        post?: never;
        /** Delete a variable of templates, in the environments that this key can get at */
        delete: operations["environment-variables-delete"];
        options?: never;
        head?: never;
        /** Change a variable of templates; the next message has the new value */
        patch: operations["environment-variables-update"];
        trace?: never;
    };
    "/v1/environment-variables/{variableKey}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The workflows of this environment that ask for a variable in a template or a condition */
        get: operations["environment-variables-usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the environments that this key can get at: its own, or all of its organization; deleted ones last */
        get: operations["environments-list"];
        put?: never;
        /** Create an environment to publish to; it is empty and has no key yet */
        post: operations["environments-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/environments/{environmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Rename, colour or protect an environment; what is not given stays */
        put: operations["environments-update"];
        post?: never;
        /** Delete an environment with all it holds: its keys stop within 5 seconds, its rows go after 7 days */
        delete: operations["environments-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/environments/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The environment that this request acts in */
        get: operations["environments-me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/environments/{environmentId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restore a deleted environment within its grace time: what waited goes on, and its keys work again */
        post: operations["environments-restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/trigger/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Cancel a triggered event: whoever was not reached is not, and waiting steps do not run */
        delete: operations["events-cancel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What this event would do: who would get what through which integration, when, and why not. Nothing is sent */
        post: operations["events-explain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Trigger one event */
        post: operations["events-trigger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/trigger/broadcast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Trigger one event for every subscriber of the environment */
        post: operations["events-trigger-broadcast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/trigger/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Trigger up to 100 events; each has its own result */
        post: operations["events-trigger-bulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/import/subscribers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make up to 500 subscribers what another service says of them: profile, channels, preferences, schedule. Says what changed */
        post: operations["import-subscribers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/import/topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make up to 500 topics, with up to 1,000 members, what another service says of them. Says what changed */
        post: operations["import-topics"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/notifications/{notificationId}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Archive a notification: the feed shows it no more unless asked */
        patch: operations["inbox-archive"];
        trace?: never;
    };
    "/v1/inbox/notifications/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Archive everything in the feed, or what the filter finds of it */
        post: operations["inbox-archive-all"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/notifications/read-archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Archive what is read in the feed, or what the filter finds of it */
        post: operations["inbox-archive-all-read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/notifications/archive/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The same as read-archive, or what the filter finds of it */
        post: operations["inbox-archive-all-read-old"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/channel-connections/{identifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a channel connection of one's own, or one that is shared in the session's contexts */
        get: operations["inbox-channel-connections-get"];
        put?: never;
        post?: never;
        /** Delete one's own channel connection, its tokens and its endpoints; a shared one is left to a server */
        delete: operations["inbox-channel-connections-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/channel-connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List one's own channel connections, and those that are shared in the session's contexts */
        get: operations["inbox-channel-connections-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/channel-connections/oauth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The address at the vendor where the person installs the app in a workspace */
        post: operations["inbox-channel-connections-oauth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/channel-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List one's own channel endpoints, without what is secret in them */
        get: operations["inbox-channel-endpoints-list"];
        put?: never;
        /** Register the push subscription of this browser; given again, it is the same endpoint */
        post: operations["inbox-channel-endpoints-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/channel-endpoints/{identifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete one's own channel endpoint: nothing is sent there any more */
        delete: operations["inbox-channel-endpoints-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/channel-endpoints/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The address that the person opens to be known to a bot (Telegram) */
        post: operations["inbox-channel-endpoints-link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/channel-endpoints/oauth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The address at the vendor where the person says who they are there */
        post: operations["inbox-channel-endpoints-oauth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/chat/oauth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The older form of channel-connections/oauth and channel-endpoints/oauth in one */
        post: operations["inbox-chat-oauth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/notifications/{notificationId}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Note that a button was pressed; the notification is then read */
        patch: operations["inbox-complete"];
        trace?: never;
    };
    "/v1/inbox/notifications/{notificationId}/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a notification for good */
        delete: operations["inbox-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/notifications/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete all notifications, archived and snoozed ones too, or what the filter finds, for good */
        post: operations["inbox-delete-all"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/notifications/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark everything in the feed as read, or what the filter finds of it */
        post: operations["inbox-mark-all-read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/notifications/{notificationId}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Mark a notification as read, and so as seen */
        patch: operations["inbox-mark-read"];
        trace?: never;
    };
    "/v1/inbox/notifications/seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark the named notifications as seen, or else what the filter finds in the feed */
        post: operations["inbox-mark-seen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/notifications/{notificationId}/unread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Mark a notification as unread; it stays seen */
        patch: operations["inbox-mark-unread"];
        trace?: never;
    };
    "/v1/inbox/notifications/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count notifications by up to 30 filters; each count stops at 50,000 */
        get: operations["inbox-notifications-count"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List notifications, newest first */
        get: operations["inbox-notifications-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/preferences/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change what holds for up to 100 workflows, all or none */
        patch: operations["inbox-preferences-bulk"];
        trace?: never;
    };
    "/v1/inbox/preferences/global": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The choice that holds for all workflows, and the schedule */
        get: operations["inbox-preferences-global"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the person is told and on which channels: the global choice first, then every active workflow */
        get: operations["inbox-preferences-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change what holds for all workflows: channels, and when */
        patch: operations["inbox-preferences-update"];
        trace?: never;
    };
    "/v1/inbox/preferences/{workflowId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change what holds for one workflow, named by its id or identifier */
        patch: operations["inbox-preferences-workflow"];
        trace?: never;
    };
    "/v1/inbox/notifications/{notificationId}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Take back that a button was pressed */
        patch: operations["inbox-revert"];
        trace?: never;
    };
    "/v1/inbox/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open a person's inbox for a browser: a token for the other inbox routes, for fifteen days */
        post: operations["inbox-session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/notifications/{notificationId}/snooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Take a notification out of the feed until a time; then it is delivered again */
        patch: operations["inbox-snooze"];
        trace?: never;
    };
    "/v1/inbox/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Server-sent events: notification_received, unread_count_changed and unseen_count_changed, the counts also at once */
        get: operations["inbox-stream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/topics/{topicKey}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List one's own subscriptions to a topic */
        get: operations["inbox-subscriptions-list"];
        put?: never;
        /** Subscribe to a topic; a subscription that exists stays as it is */
        post: operations["inbox-subscriptions-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/inbox/topics/{topicKey}/subscriptions/{identifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one's own subscription to a topic by its identifier or id; 204 if there is none */
        get: operations["inbox-subscriptions-get"];
        put?: never;
        post?: never;
        /** End one's own subscription to a topic */
        delete: operations["inbox-subscriptions-delete"];
        options?: never;
        head?: never;
        /** Change the name or the preferences of one's own subscription to a topic */
        patch: operations["inbox-subscriptions-update"];
        trace?: never;
    };
    "/v1/inbox/subscriptions/{identifier}/preferences/{workflowId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change what holds for one workflow in one's own subscription */
        patch: operations["inbox-subscriptions-preference"];
        trace?: never;
    };
    "/v1/inbox/notifications/{notificationId}/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Bring an archived notification back */
        patch: operations["inbox-unarchive"];
        trace?: never;
    };
    "/v1/inbox/notifications/{notificationId}/unsnooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** End the snooze of a notification: it is delivered again */
        patch: operations["inbox-unsnooze"];
        trace?: never;
    };
    "/v1/integrations/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the active integrations */
        get: operations["integrations-active"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/{integrationId}/callbacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the vendor calls back, and what it told last */
        get: operations["integrations-callbacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all integrations */
        get: operations["integrations-list"];
        put?: never;
        /** Create an integration in the environment of the API key */
        post: operations["integrations-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/{integrationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Update an integration: fields left out stay, a null credential is cleared */
        put: operations["integrations-update"];
        post?: never;
        /** Delete an integration for good; the reply lists those that remain */
        delete: operations["integrations-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/{integrationId}/set-primary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make an active e-mail or SMS integration the default of its channel */
        post: operations["integrations-set-primary"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/{integrationId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a real message through an integration, active or not, and see the provider's own answer */
        post: operations["integrations-test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrations/{integrationIdentifier}/webhook/configure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Tell the vendor of a bot where to call (Telegram) */
        post: operations["integrations-webhook-configure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the invitations that nobody has accepted, and what became of their mails */
        get: operations["members-invitations"];
        put?: never;
        /** Invite somebody by their e-mail address; the link is shown this once, and mailed where a mail can be sent */
        post: operations["members-invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the people of the organization and what they are in it */
        get: operations["members-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who acts: a key by its name, or whoever is signed in */
        get: operations["members-me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{personId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove somebody from the organization; their sessions end with it */
        delete: operations["members-remove"];
        options?: never;
        head?: never;
        /** Change what somebody is, everywhere or by environment; what is not sent stays */
        patch: operations["members-update"];
        trace?: never;
    };
    "/v1/members/invitations/{invitationId}/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new link for an invitation, for another week; the one before opens nothing */
        post: operations["members-renew-invitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take an invitation back: its link opens nothing */
        delete: operations["members-revoke-invitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a message */
        delete: operations["messages-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/transaction/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete the messages of an event that exist: 500 before the reply, the others soon after. To stop it, cancel it first */
        delete: operations["messages-delete-by-transaction"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List messages, newest first */
        get: operations["messages-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications/{notificationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a triggered event with its steps, their history and what they generated */
        get: operations["notifications-get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List triggered events, newest first */
        get: operations["notifications-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notifications/{notificationId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The messages of a triggered event as the person saw them, with every try at sending them */
        get: operations["notifications-messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/numbers/now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is wrong right now, what to do about it, and where to look */
        get: operations["numbers-now"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happened, counted over time: events, messages and steps by outcome, channel, workflow and provider */
        get: operations["numbers-read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The organization: its name, what sends its own mails, and what it asks of those who sign in */
        get: operations["organization-get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the organization; what is not sent stays. Its mails and who may use passwords: owners only */
        patch: operations["organization-update"];
        trace?: never;
    };
    "/v1/organizations/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the organization of this key is called */
        get: operations["organization-me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All providers that integrations can be made of, with the credentials each asks for */
        get: operations["providers-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publications/{publicationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A publication, and line by line what it changed */
        get: operations["publications-get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what was published to this environment */
        get: operations["publications-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/publications/{publicationId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make the environment what it was after a publication, or before it */
        post: operations["publications-restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sends/{transactionId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel an event, also a paused one: nothing of it begins any more, and what was not sent is taken back */
        post: operations["sends-cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sends/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far an event has come: people, messages by what became of them, and why it stands */
        get: operations["sends-get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List events to more than 300 people, and others that somebody paused, newest first */
        get: operations["sends-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sends/{transactionId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let an event stand still: once this is answered, nothing of it begins until it is resumed */
        post: operations["sends-pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sends/{transactionId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Let an event go on: one that was paused, or whose first people are through */
        post: operations["sends-resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organization/sign-in-connections/{connectionId}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask the issuer of a sign-in connection what it is, and say what would keep people out */
        post: operations["sign-in-connections-check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organization/sign-in-connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the issuers that vouch for people of the organization (OpenID Connect), without their secrets */
        get: operations["sign-in-connections-list"];
        put?: never;
        /** Let people come in by an issuer (OpenID Connect) */
        post: operations["sign-in-connections-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organization/sign-in-connections/{connectionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a sign-in connection: whoever came in by it is signed out */
        delete: operations["sign-in-connections-delete"];
        options?: never;
        head?: never;
        /** Change a sign-in connection; what is not sent stays. Another issuer or client ends its sessions */
        patch: operations["sign-in-connections-update"];
        trace?: never;
    };
    "/v1/subscribers/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create or update up to 500 subscribers; one bad entry does not stop the others */
        post: operations["subscribers-bulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers/{subscriberId}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set channel credentials; device tokens are appended. A provider without an integration gets one: active if it needs no credentials, else off until they are there */
        put: operations["subscribers-credentials-update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Append channel credentials. A provider without an integration gets one: active if it needs no credentials, else off until they are there */
        patch: operations["subscribers-credentials-append"];
        trace?: never;
    };
    "/v1/subscribers/{subscriberId}/credentials/{providerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Forget the credentials a subscriber has for one provider */
        delete: operations["subscribers-credentials-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers/{subscriberId}/credentials/{providerId}/device-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Forget some device tokens of a subscriber; the others stay, and one that is not known is no fault */
        delete: operations["subscribers-device-tokens-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers/{subscriberId}/messages/{messageId}/actions/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Note that a button (`primary` or `secondary`) of an in-app message was pressed, or take that back */
        post: operations["subscribers-messages-action"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers/{subscriberId}/messages/mark-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark everything in the feed as seen, unseen, read or unread */
        post: operations["subscribers-messages-mark-all"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers/{subscriberId}/messages/mark-as": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark a subscriber's in-app messages as seen, unseen, read or unread */
        post: operations["subscribers-messages-mark-as"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers/{subscriberId}/notifications/unread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count what is unread in the feed, up to the limit */
        get: operations["subscribers-notifications-count-unread"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers/{subscriberId}/notifications/unseen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count what is unseen in the feed, up to the limit */
        get: operations["subscribers-notifications-count-unseen"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers/{subscriberId}/notifications/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a subscriber's in-app feed, newest first */
        get: operations["subscribers-notifications-feed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscribers/{subscriberId}/online-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Say whether a subscriber is online */
        patch: operations["subscribers-online-status"];
        trace?: never;
    };
    "/v1/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the addresses nothing is sent to, by channel and address */
        get: operations["suppressions-list"];
        put?: never;
        /** Put an address on the suppression list; one that is there stays as it is */
        post: operations["suppressions-add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/suppressions/{channel}/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take an address off the suppression list */
        delete: operations["suppressions-remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tenants, newest first */
        get: operations["tenants-list"];
        put?: never;
        /** Create a tenant */
        post: operations["tenants-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tenants/{identifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a tenant */
        get: operations["tenants-get"];
        put?: never;
        post?: never;
        /** Delete a tenant */
        delete: operations["tenants-delete"];
        options?: never;
        head?: never;
        /** Update a tenant */
        patch: operations["tenants-update"];
        trace?: never;
    };
    "/v1/topics/{topicKey}/subscribers/{externalSubscriberId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check whether a subscriber is subscribed to a topic */
        get: operations["topics-subscribers-get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/unsubscribe/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The page behind the unsubscribe link of an e-mail: asks once more */
        get: operations["unsubscribe-show"];
        put?: never;
        /** Unsubscribe with one click (RFC 8058): from the mail client itself, or from the page */
        post: operations["unsubscribe-confirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhook endpoints */
        get: operations["webhook-endpoints-list"];
        put?: never;
        /** Add a server of yours that is told what happens; the reply shows its signing secret, once */
        post: operations["webhook-endpoints-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{endpointId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a webhook endpoint */
        get: operations["webhook-endpoints-get"];
        put?: never;
        post?: never;
        /** Delete a webhook endpoint; what it was to be told is dropped */
        delete: operations["webhook-endpoints-delete"];
        options?: never;
        head?: never;
        /** Change a webhook endpoint, disable it, or enable it again */
        patch: operations["webhook-endpoints-update"];
        trace?: never;
    };
    "/v1/webhook-endpoints/{endpointId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what a webhook endpoint was told or is to be told, with the tries and their replies */
        get: operations["webhook-endpoints-deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{endpointId}/deliveries/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one event for a webhook endpoint, with the tries and their replies */
        get: operations["webhook-endpoints-delivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{endpointId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send the events of a span of time to a webhook endpoint again */
        post: operations["webhook-endpoints-replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{endpointId}/deliveries/{eventId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send one event to a webhook endpoint again, by the same webhook-id */
        post: operations["webhook-endpoints-replay-delivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{endpointId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give a webhook endpoint a new signing secret; for a while the old one signs beside it */
        post: operations["webhook-endpoints-rotate-secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook-endpoints/{endpointId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a webhook endpoint an event of type endpoint.test */
        post: operations["webhook-endpoints-send-test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{integrationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** For providers that ask whether somebody listens here, or that report by GET */
        get: operations["webhooks-challenge"];
        put?: never;
        /** For providers: what became of messages, signed with the signing key of the integration */
        post: operations["webhooks-receive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contexts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List contexts */
        get: operations["contexts-list"];
        put?: never;
        /** Create a context: what a type and an id stand for, with data for templates */
        post: operations["contexts-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/contexts/{type}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a context */
        get: operations["contexts-get"];
        put?: never;
        post?: never;
        /** Delete a context; events and messages keep its name */
        delete: operations["contexts-delete"];
        options?: never;
        head?: never;
        /** Replace the data of a context; the next message has it */
        patch: operations["contexts-update"];
        trace?: never;
    };
    "/v2/environments/{targetEnvironmentId}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What publishing to an environment would change there, line by line */
        post: operations["environments-diff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/environments/{targetEnvironmentId}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Publish workflows, layouts and translations to an environment: all of it at once, or nothing */
        post: operations["environments-publish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/environments/{environmentId}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tags of the workflows of an environment */
        get: operations["environments-tags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/layouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List layouts */
        get: operations["layouts-list"];
        put?: never;
        /** Create a layout: what stands around the bodies of e-mails */
        post: operations["layouts-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/layouts/{layoutId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a layout by its layoutId or _id */
        get: operations["layouts-get"];
        /** Change a layout; what runs already goes on with the one it began with */
        put: operations["layouts-update"];
        post?: never;
        /** Delete a layout that is not the default, and that no workflow names */
        delete: operations["layouts-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/layouts/{layoutId}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copy a layout, without its translations; the copy is not the default */
        post: operations["layouts-duplicate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/layouts/{layoutId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A layout as one person would see it around an e-mail; nothing is sent */
        post: operations["layouts-preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/layouts/{layoutId}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The workflows that name a layout; of the default also those with an e-mail that names none */
        get: operations["layouts-usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/subscribers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Search subscribers */
        get: operations["subscribers-search"];
        put?: never;
        /** Create a subscriber, or update the one with this subscriberId */
        post: operations["subscribers-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a subscriber */
        get: operations["subscribers-get"];
        put?: never;
        post?: never;
        /** Delete a subscriber and erase profile, credentials, topic memberships and the contents of history */
        delete: operations["subscribers-delete"];
        options?: never;
        head?: never;
        /** Update a subscriber: fields left out stay, null clears */
        patch: operations["subscribers-update"];
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything this service holds about one subscriber, the history page by page, oldest first */
        get: operations["subscribers-export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/inbox-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open a known subscriber's inbox without a hash: a token for the inbox routes that ends with this key */
        post: operations["subscribers-inbox-session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/notifications/{notificationId}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Archive an in-app notification: the feed shows it no more unless asked */
        patch: operations["subscribers-notifications-archive"];
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/notifications/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Archive everything in the feed, or what the filter finds of it */
        post: operations["subscribers-notifications-archive-all"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/notifications/read-archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Archive what is read in the feed, or what the filter finds of it */
        post: operations["subscribers-notifications-archive-all-read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/notifications/{notificationId}/actions/{type}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Note that a button (`primary` or `secondary`) was pressed; the notification is then read */
        patch: operations["subscribers-notifications-complete-action"];
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/notifications/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Count in-app notifications by up to 30 filters; each count stops at 50,000 */
        get: operations["subscribers-notifications-count"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/notifications/{notificationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an in-app notification for good */
        delete: operations["subscribers-notifications-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/notifications/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete all in-app notifications, archived and snoozed ones too, or what the filter finds, for good */
        post: operations["subscribers-notifications-delete-all"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a subscriber's in-app notifications, newest first */
        get: operations["subscribers-notifications-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/notifications/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark everything in the feed, or what the filter finds of it, as read */
        post: operations["subscribers-notifications-mark-all-read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/notifications/{notificationId}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Mark an in-app notification as read, and so as seen */
        patch: operations["subscribers-notifications-mark-read"];
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/notifications/seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark the named in-app notifications as seen, or else what the filter finds in the feed */
        post: operations["subscribers-notifications-mark-seen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/notifications/{notificationId}/unread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Mark an in-app notification as unread; it stays seen */
        patch: operations["subscribers-notifications-mark-unread"];
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/notifications/{notificationId}/actions/{type}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Take back that a button was pressed */
        patch: operations["subscribers-notifications-revert-action"];
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/notifications/{notificationId}/snooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Take an in-app notification out of the feed until a time; then it is delivered again */
        patch: operations["subscribers-notifications-snooze"];
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/notifications/{notificationId}/unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Bring an archived in-app notification back */
        patch: operations["subscribers-notifications-unarchive"];
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/notifications/{notificationId}/unsnooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** End the snooze of an in-app notification: it is delivered again */
        patch: operations["subscribers-notifications-unsnooze"];
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/preferences/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change what a subscriber is told by up to 100 workflows; all of it or nothing */
        patch: operations["subscribers-preferences-bulk"];
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a subscriber is told, on which channels and when: in general and for every active workflow */
        get: operations["subscribers-preferences-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change what a subscriber is told: by one workflow, or in general, and when */
        patch: operations["subscribers-preferences-update"];
        trace?: never;
    };
    "/v2/subscribers/{subscriberId}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the topics a subscriber is subscribed to */
        get: operations["subscribers-subscriptions-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/topics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List topics */
        get: operations["topics-list"];
        put?: never;
        /** Create a topic, or rename the one with this key */
        post: operations["topics-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/topics/{topicKey}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a topic */
        get: operations["topics-get"];
        put?: never;
        post?: never;
        /** Delete a topic and its subscriptions */
        delete: operations["topics-delete"];
        options?: never;
        head?: never;
        /** Rename a topic */
        patch: operations["topics-update"];
        trace?: never;
    };
    "/v2/topics/{topicKey}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the members of a topic, each with every subscription that they have to it */
        get: operations["topics-subscriptions-list"];
        put?: never;
        /** Subscribe up to 100 subscribers to a topic; a topic that does not exist is created */
        post: operations["topics-subscriptions-add"];
        /** Unsubscribe up to 100 subscribers from a topic */
        delete: operations["topics-subscriptions-remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/topics/{topicKey}/subscriptions/{identifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve one subscription of a topic by its identifier or id */
        get: operations["topics-subscriptions-get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the name or the preferences of a subscription to a topic, named by its identifier or id */
        patch: operations["topics-subscriptions-update"];
        trace?: never;
    };
    "/v2/translations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Save the words of a workflow or layout in one language, in place of those before */
        post: operations["translations-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/translations/{resourceType}/{resourceId}/{locale}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The words of a workflow or layout in one language */
        get: operations["translations-get"];
        put?: never;
        post?: never;
        /** Delete the words of one language; what is under way keeps them */
        delete: operations["translations-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/translations/{resourceType}/{resourceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete all languages of a workflow or layout; what is under way keeps them */
        delete: operations["translations-group-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/translations/group/{resourceType}/{resourceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The languages of a workflow or layout, and which of them lack something */
        get: operations["translations-group-get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/translations/group/{resourceType}/{resourceId}/missing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the templates of a workflow or layout ask for, and what of it each language lacks */
        get: operations["translations-group-missing"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/translations/master-json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All words of one language, by workflow and layout */
        get: operations["translations-master-get"];
        put?: never;
        /** Save all words of one language, as the export gives them */
        post: operations["translations-master-import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/translations/master-json/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The same from a file named after its language (de_AT.json), sent as a form or as JSON */
        post: operations["translations-master-upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/translations/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Save languages from JSON files named after them (de_AT.json), sent as a form or as JSON */
        post: operations["translations-upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/inbound-webhooks/delivery-providers/{environmentId}/{integrationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same as GET /v1/webhooks/{integrationId} */
        get: operations["webhooks-challenge-in-environment"];
        put?: never;
        /** The same as /v1/webhooks/{integrationId}, and says what it took */
        post: operations["webhooks-receive-in-environment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/workflows/compile-blocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The HTML template that a document of blocks becomes; nothing is stored */
        post: operations["workflows-compile-blocks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/workflows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List workflows */
        get: operations["workflows-list"];
        put?: never;
        /** Create a workflow */
        post: operations["workflows-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/workflows/{workflowId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a workflow by its workflowId or _id */
        get: operations["workflows-get"];
        /** Replace a workflow by a new version; what runs already goes on with the version it began with */
        put: operations["workflows-replace"];
        post?: never;
        /** Delete a workflow; its history stays readable, and its workflowId is free again */
        delete: operations["workflows-delete"];
        options?: never;
        head?: never;
        /** Switch a workflow on or off, or change its name, description, tags or payload schema */
        patch: operations["workflows-patch"];
        trace?: never;
    };
    "/v2/workflows/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A step that is not saved, as one person would see it; nothing is sent */
        post: operations["workflows-preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/workflows/preview/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a step that is not saved to yourself, as one person would get it; nothing is stored */
        post: operations["workflows-preview-send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/workflows/{workflowId}/steps/{stepId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Retrieve a step of a workflow by its stepId or _id */
        get: operations["workflows-step-get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/workflows/{workflowId}/step/{stepId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A step of a workflow as one person would see it; nothing is sent */
        post: operations["workflows-step-preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/workflows/{workflowId}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Publish a workflow to another environment, with what it depends on */
        put: operations["workflows-sync"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/workflows/{workflowId}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All versions of a workflow, newest first; what runs goes on with the one it began with */
        get: operations["workflows-versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an invitation: somebody new chooses a name and a password, somebody known gives theirs; signs in */
        post: operations["session-accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account of the person who is signed in, and the organizations they are in */
        get: operations["session-account"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change your name */
        patch: operations["session-account-update"];
        trace?: never;
    };
    "/session/connection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to sign in by a connection: where to send the browser; sets a cookie by which it is known again */
        post: operations["session-connection-begin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/connection/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with what an issuer sent back; only in the browser that began, and once */
        post: operations["session-connection-finish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The sign-in connections for the domain of an address; the same whether or not anybody has the address */
        post: operations["session-connections"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in */
        get: operations["session-get"];
        put?: never;
        /** Sign in to the dashboard: as a person, with an API key, or by a one-time link; sets the cookie of the session */
        post: operations["session-open"];
        /** Sign out: the cookie is dead on every node within 5 seconds */
        delete: operations["session-end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What an invitation is for, to whoever holds its token */
        post: operations["session-invitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an invitation as the person who is signed in; goes to that organization */
        post: operations["session-join"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go to another organization of yours: a new session, and this one ends */
        post: operations["session-organization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/account/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change your password; all your other sessions end */
        put: operations["session-password"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/account/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** New recovery codes in the place of the old ones, shown this once; all your other sessions end */
        post: operations["session-recovery-codes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Choose a new password by a link that was mailed; ends all sessions, and signs in where a password is enough */
        post: operations["session-reset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/reset/ask": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for a mail with a link to choose a new password; the answer is the same whether or not there is an account */
        post: operations["session-reset-ask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where you are signed in, in all your organizations; the one used last first */
        get: operations["session-sessions"];
        put?: never;
        post?: never;
        /** End all your sessions but this one: they are over on every node within 5 seconds */
        delete: operations["session-sessions-end-others"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of your sessions: it is over on every node within 5 seconds */
        delete: operations["session-sessions-end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/account/two-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to set up a second proof: a secret for an app, shown this once; it counts once it is confirmed */
        post: operations["session-two-factor-begin"];
        /** Turn the second proof off; all your other sessions end */
        delete: operations["session-two-factor-end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/account/two-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turn the second proof on by a code of the app; answers recovery codes, shown this once; other sessions end */
        post: operations["session-two-factor-confirm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/ways": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How one can sign in here, before anything is known of who asks */
        get: operations["session-ways"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Error */
        Error: {
            statusCode: number;
            /** @description A stable word for programs. */
            code: string;
            /** @description A sentence for people: what to do about it. */
            message: string;
            path: string;
            /** Format: date-time */
            timestamp: string;
            requestId: string;
            /** @description On 422: the field, what is wrong with it, and what was sent. */
            errors?: {
                [key: string]: {
                    messages: string[];
                    value?: unknown;
                };
            };
        };
        /** ApiKey */
        ApiKey: {
            id: string;
            name: string;
            /** Format: date-time */
            createdAt: string;
            /** @description As the record of changes knows it. */
            createdBy?: {
                /** @enum {string} */
                type: "person" | "key" | "link" | "command" | "service";
                id: string;
                name: string;
            };
            /** @description This call, or its session, uses it. */
            current: boolean;
            /** @description The operator's own: BOOTSTRAP_API_KEY. */
            bootstrap: boolean;
            /** @enum {string} */
            scope: "everything" | "trigger" | "read" | "inbox";
            /** @enum {string} */
            reach: "environment" | "organization";
            note?: string;
            /**
             * Format: date-time
             * @description From then on it opens nothing.
             */
            expiresAt?: string;
            /**
             * Format: date-time
             * @description By a program or to sign in, to about a minute.
             */
            lastUsedAt?: string;
            /** Format: date-time */
            revokedAt?: string;
        };
        /**
         * BridgeSync
         * @description By workflowId.
         */
        BridgeSync: {
            /** @description http or https; private addresses are refused. Mostly ends with /api/novu. */
            bridgeUrl: string;
            created: string[];
            updated: string[];
            unchanged: string[];
            deleted: string[];
            /** @description The API key whose text signs what the bridge is asked. */
            keyId: string | null;
            warnings: string[];
        };
        /** Bridge */
        Bridge: {
            /** @description Null: no bridge was told of. */
            bridgeUrl: string | null;
            /** Format: date-time */
            syncedAt?: string;
            /**
             * Format: date-time
             * @description Since then it has not answered.
             */
            failingSince?: string;
            failingReason?: string;
        };
        /** BridgeValidation */
        BridgeValidation: {
            isValid: boolean;
            workflows: number;
            steps: number;
        };
        /** ChangeActor */
        ChangeActor: {
            /** @enum {string} */
            type: "person" | "key" | "link" | "command" | "service";
            /** @description The actorId of GET /v1/changes. */
            id: string;
            /** @description As they were called last. */
            name: string;
            /** Format: date-time */
            lastAt: string;
        };
        /** ChangeRecord */
        ChangeRecord: {
            _id: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Absent: it is about the organization. */
            environmentId?: string;
            actor: {
                /** @enum {string} */
                type: "person" | "key" | "link" | "command" | "service";
                id: string;
                /** @description As they were called then. */
                name: string;
            };
            /** @description As in workflows.update. */
            action: string;
            subject: {
                type: string;
                id: string;
                name?: string;
            };
            changes: {
                path: string;
                /** @description Any JSON; long texts are cut. */
                before?: unknown;
                /** @description Any JSON; long texts are cut. */
                after?: unknown;
            }[];
            /** @description The IP address of the request, or the machine of a command. */
            address?: string;
            agent?: string;
            requestId?: string;
        };
        /** ChannelConnection */
        ChannelConnection: {
            identifier: string;
            channel: string | null;
            providerId: string | null;
            integrationIdentifier: string | null;
            subscriberId: string | null;
            contextKeys: string[];
            workspace: {
                id: string;
                name?: string;
                botUserId?: string;
            };
            auth: {
                /** @description Never shown: dots, or nothing if the app needs none. */
                accessToken: string;
                /** Format: date-time */
                expiresAt?: string;
            };
            /** @description Why the vendor takes no more from us there; connect the workspace again. */
            refused: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** slack_channel */
        slack_channel: {
            /** Format: identifier */
            channelId: string;
        };
        /** slack_user */
        slack_user: {
            /** Format: identifier */
            userId: string;
        };
        /** webhook */
        webhook: {
            url: string;
            /** Format: identifier */
            channel?: string;
        };
        /** phone */
        phone: {
            /** Format: identifier */
            phoneNumber: string;
        };
        /** ms_teams_channel */
        ms_teams_channel: {
            /** Format: identifier */
            teamId: string;
            /** Format: identifier */
            channelId: string;
        };
        /** ms_teams_user */
        ms_teams_user: {
            /** Format: identifier */
            userId: string;
        };
        /** telegram_chat */
        telegram_chat: {
            chatId: string;
        };
        /** google_chat_space */
        google_chat_space: {
            spaceId: string;
        };
        /** ntfy_topic */
        ntfy_topic: {
            topic: string;
        };
        /** web_push */
        web_push: {
            endpoint: string;
            keys: {
                p256dh: string;
                auth: string;
            };
        };
        /** ChannelEndpoint */
        ChannelEndpoint: {
            identifier: string;
            channel: string | null;
            providerId: string | null;
            integrationIdentifier: string | null;
            connectionIdentifier: string | null;
            subscriberId: string | null;
            contextKeys: string[];
            type: string;
            endpoint: components["schemas"]["slack_channel"] | components["schemas"]["slack_user"] | components["schemas"]["webhook"] | components["schemas"]["phone"] | components["schemas"]["ms_teams_channel"] | components["schemas"]["ms_teams_user"] | components["schemas"]["telegram_chat"] | components["schemas"]["google_chat_space"] | components["schemas"]["ntfy_topic"] | components["schemas"]["web_push"];
            /**
             * Format: date-time
             * @description When the vendor said that this place no longer exists.
             */
            goneAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** Hunk */
        Hunk: {
            /** @description The first line, counted from one. */
            before: number;
            after: number;
            lines: string[];
        };
        /** ResourceChange */
        ResourceChange: {
            /** @constant */
            resourceType: "REGULAR";
            /** @enum {string} */
            action: "added" | "modified" | "deleted" | "moved";
            /** @description As in steps.email.controlValues.subject: steps go by their stepId. */
            path: string;
            before?: unknown;
            after?: unknown;
            /** @description Of a long text, in place of before and after. */
            lines?: components["schemas"]["Hunk"][];
            stepId?: string;
            /** @description Changed lines that are not shown. */
            moreLines?: number;
            stepType?: string;
            previousIndex?: number;
            newIndex?: number;
        };
        /** AppliedContent */
        AppliedContent: {
            dryRun: boolean;
            /** @description In the order of the request. */
            resources: {
                /** @enum {string} */
                kind: "workflow" | "layout" | "translation";
                resourceId: string;
                /** @enum {string} */
                action: "added" | "modified" | "unchanged";
                changes: components["schemas"]["ResourceChange"][];
                /** @description There are more changes than are shown. */
                isShortened: boolean;
                warnings: string[];
            }[];
            summary: {
                added: number;
                modified: number;
                unchanged: number;
            };
        };
        /** Content */
        Content: {
            /** @description Bodies of POST /v2/workflows, /v2/layouts and /v2/translations, in the same order each time. */
            resources: {
                [key: string]: unknown;
            }[];
        };
        /** ChannelCredentials */
        ChannelCredentials: {
            webhookUrl?: string;
            channel?: string;
            deviceTokens?: string[];
            alertUid?: string;
            title?: string;
            imageUrl?: string;
            state?: string;
            externalUrl?: string;
        };
        /** ChannelSettings */
        ChannelSettings: {
            /** @enum {string} */
            providerId: "slack" | "discord" | "msteams" | "mattermost" | "ryver" | "zulip" | "grafana-on-call" | "getstream" | "rocket-chat" | "whatsapp-business" | "chat-webhook" | "platform-slack" | "fcm" | "apns" | "expo" | "one-signal" | "pushpad" | "push-webhook" | "pusher-beams" | "appio";
            integrationIdentifier?: string;
            credentials: components["schemas"]["ChannelCredentials"];
            _integrationId: string;
        };
        /** Subscriber */
        Subscriber: {
            _id: string;
            subscriberId: string;
            firstName?: string | null;
            lastName?: string | null;
            email?: string | null;
            phone?: string | null;
            avatar?: string | null;
            locale?: string | null;
            channels: components["schemas"]["ChannelSettings"][];
            /**
             * @deprecated
             * @description Not sent.
             */
            topics?: string[];
            isOnline?: boolean | null;
            lastOnlineAt?: string | null;
            __v: number;
            data?: {
                [key: string]: unknown;
            } | null;
            timezone?: string | null;
            _organizationId: string;
            _environmentId: string;
            deleted: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** StepFilter */
        StepFilter: {
            isNegated: boolean;
            /** @enum {string} */
            type: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP";
            /** @enum {string} */
            value: "AND" | "OR";
            children: {
                field: string;
                value: string;
                /** @enum {string} */
                operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN";
                /** @enum {string} */
                on: "subscriber" | "payload";
            }[];
        };
        /** NotificationStepVariant */
        NotificationStepVariant: {
            _id: string;
            uuid: string;
            name: string;
            _templateId: string;
            _parentId?: string;
            active: boolean;
            shouldStopOnFail: boolean;
            template: {
                [key: string]: unknown;
            };
            filters: components["schemas"]["StepFilter"][];
            metadata?: {
                [key: string]: unknown;
            };
            replyCallback?: {
                active?: boolean;
                url?: string;
            };
        };
        /** NotificationStep */
        NotificationStep: {
            _id: string;
            uuid: string;
            name: string;
            _templateId: string;
            _parentId?: string;
            active: boolean;
            shouldStopOnFail: boolean;
            template: {
                [key: string]: unknown;
            };
            filters: components["schemas"]["StepFilter"][];
            metadata?: {
                [key: string]: unknown;
            };
            replyCallback?: {
                active?: boolean;
                url?: string;
            };
            variants: components["schemas"]["NotificationStepVariant"][];
        };
        /** NotificationTrigger */
        NotificationTrigger: {
            /** @enum {string} */
            type: "event";
            identifier: string;
            variables: {
                name: string;
            }[];
            /** @description Not sent. */
            subscriberVariables?: {
                name: string;
            }[];
        };
        /** EmbeddedWorkflow */
        EmbeddedWorkflow: {
            _id: string;
            name: string;
            description: string;
            active: boolean;
            draft: boolean;
            preferenceSettings: {
                email?: boolean;
                sms?: boolean;
                in_app?: boolean;
                chat?: boolean;
                push?: boolean;
            };
            critical: boolean;
            tags: string[];
            steps: components["schemas"]["NotificationStep"][];
            _organizationId: string;
            _creatorId: string;
            _environmentId: string;
            triggers: components["schemas"]["NotificationTrigger"][];
            _notificationGroupId: string;
            deleted: boolean;
            deletedAt: string;
            deletedBy: string;
            _parentId?: string;
            notificationGroup?: {
                _id?: string;
                _parentId?: string;
                name: string;
                _environmentId: string;
                _organizationId: string;
            };
            data?: {
                [key: string]: unknown;
            };
            workflowIntegrationStatus?: {
                [key: string]: unknown;
            };
        };
        /** EmailBlock */
        EmailBlock: {
            /** @enum {string} */
            type: "button" | "text";
            content: string;
            url?: string;
            styles?: {
                /** @enum {string} */
                textAlign?: "center" | "left" | "right";
            };
        };
        /** MessageCTA */
        MessageCTA: {
            /** @enum {string} */
            type?: "redirect";
            data?: {
                url?: string;
            };
            action?: {
                /** @enum {string} */
                status?: "pending" | "done";
                buttons?: {
                    /** @enum {string} */
                    type: "primary" | "secondary";
                    content: string;
                    resultContent?: string;
                }[];
                result?: {
                    payload?: {
                        [key: string]: unknown;
                    };
                    /** @enum {string} */
                    type?: "primary" | "secondary";
                };
            };
        };
        /** DeadLetter */
        DeadLetter: {
            _id: string;
            _templateId?: string | null;
            _messageTemplateId?: string | null;
            _feedId?: string | null;
            _environmentId: string;
            _organizationId: string;
            _notificationId: string;
            _subscriberId: string;
            subscriber?: components["schemas"]["Subscriber"];
            template?: components["schemas"]["EmbeddedWorkflow"];
            templateIdentifier?: string;
            /** Format: date-time */
            createdAt: string;
            deliveredAt?: string[];
            lastSeenDate?: string;
            lastReadDate?: string;
            snoozedUntil?: string;
            /** @description Here always a string. */
            content?: string | components["schemas"]["EmailBlock"][];
            transactionId: string;
            subject?: string;
            email?: string;
            phone?: string;
            title?: string;
            providerId?: string;
            errorId?: string;
            errorText?: string;
            /** @enum {string} */
            channel: "in_app" | "email" | "sms" | "chat" | "push";
            read: boolean;
            seen: boolean;
            cta: components["schemas"]["MessageCTA"];
            /** @enum {string} */
            status: "sent" | "error" | "warning";
            payload?: {
                [key: string]: unknown;
            };
            overrides?: {
                [key: string]: unknown;
            };
            contextKeys?: string[];
            /** @description How often a provider was asked. */
            attempts: number;
            /** @description The integration that tried last. */
            integrationId?: string;
        };
        /** DevMail */
        DevMail: {
            /** @description The id of the message. */
            _id: string;
            channel: string;
            to: string;
            subject?: string;
            content: string;
            /** Format: date-time */
            createdAt: string;
        };
        /** Environment */
        Environment: {
            _id: string;
            _organizationId: string;
            name: string;
            /** @description Public: the applicationIdentifier of inbox components. */
            identifier: string;
            /** @description Whose translations stand where a reader’s own language has none: en_US. */
            defaultLocale: string;
            inbox: {
                /** @enum {string} */
                subscriberHash: "required" | "optional";
                hasSigningSecret: boolean;
            };
            /** @description Only while its work waits behind that of others: since when, and why. */
            slowed?: {
                /** Format: date-time */
                since: string;
                /** Format: date-time */
                until: string;
                /** @enum {string} */
                reason: "failures" | "rate";
                text: string;
            };
        };
        /** LargeSends */
        LargeSends: {
            /** @description Sends to at least so many people begin with a few of them; null: none does. */
            canaryFrom: number | null;
            canaryPercent: number;
            canaryAtLeast: number;
            /**
             * @description Who lets it go on after the first people.
             * @enum {string}
             */
            goesOn: "person" | "time";
            goesOnAfterSeconds: number;
            /** @description Sends to at least so many people are stopped when too much fails; null: only those that begin small. */
            guardFrom: number | null;
            failuresPercent: number;
            complaintsPercent: number;
            /** @description Slow the environment down when it jumps far beyond its own past. */
            slowOnJumps: boolean;
        };
        /** EnvironmentVariable */
        EnvironmentVariable: {
            _id: string;
            _organizationId: string;
            key: string;
            /** @constant */
            type: "string";
            isSecret: boolean;
            /** @description In the environments that the caller can get at. A secret shows as ••••••••. */
            values: {
                _environmentId: string;
                value: string;
            }[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** ListedEnvironment */
        ListedEnvironment: {
            _id: string;
            _organizationId: string;
            name: string;
            /** @description Public: the applicationIdentifier of inbox components. */
            identifier: string;
            /** @description Part of its address in the dashboard: /env/<slug>/workflows. */
            slug: string;
            /**
             * @description dev: where things are made. prod: where they are published to.
             * @enum {string}
             */
            type: "dev" | "prod";
            /** @description What is published to it comes from there, unless another one is named. */
            _parentId?: string;
            color: string;
            /** @description Workflows, layouts and translations change only by publishing. */
            protected: boolean;
            /** @description It lives in another cell. */
            isElsewhere: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            deletedAt?: string;
            /**
             * Format: date-time
             * @description Until then a deleted one can be restored.
             */
            purgedAfter?: string;
            /** @description Only while its work waits behind that of others: since when, and why. */
            slowed?: {
                /** Format: date-time */
                since: string;
                /** Format: date-time */
                until: string;
                /** @enum {string} */
                reason: "failures" | "rate";
                text: string;
            };
        };
        /** SubscriberRecipient */
        SubscriberRecipient: {
            /** @enum {string} */
            type?: "Subscriber";
            /** Format: identifier */
            subscriberId: string;
            firstName?: string | null;
            lastName?: string | null;
            /** Format: email */
            email?: string | null;
            phone?: string | null;
            avatar?: string | null;
            /** Format: timezone */
            timezone?: string | null;
            /** Format: locale */
            locale?: string | null;
            data?: {
                [key: string]: unknown;
            } | null;
            channels?: {
                /** @enum {string} */
                providerId: "slack" | "discord" | "msteams" | "mattermost" | "ryver" | "zulip" | "grafana-on-call" | "getstream" | "rocket-chat" | "whatsapp-business" | "chat-webhook" | "platform-slack" | "fcm" | "apns" | "expo" | "one-signal" | "pushpad" | "push-webhook" | "pusher-beams" | "appio";
                integrationIdentifier?: string;
                credentials: components["schemas"]["ChannelCredentials"];
            }[];
        };
        /** TopicRecipient */
        TopicRecipient: {
            /** @enum {string} */
            type?: "Topic";
            topicKey: string;
            exclude?: string[];
        };
        /** TriggerResult */
        TriggerResult: {
            acknowledged: boolean;
            /** @enum {string} */
            status: "error" | "trigger_not_active" | "no_workflow_active_steps_defined" | "no_workflow_steps_defined" | "processed" | "no_tenant_found" | "invalid_recipients";
            error?: string[];
            transactionId?: string;
        };
        /** Explanation */
        Explanation: {
            result: components["schemas"]["TriggerResult"];
            recipients: {
                subscriberId: string;
                steps: {
                    stepId: string;
                    /** @enum {string} */
                    type: "in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle" | "custom";
                    /** @enum {string} */
                    outcome: "send" | "skip" | "fail" | "wait" | "delay" | "digest" | "throttle" | "defer" | "ask" | "run";
                    why?: string;
                    /** @description It goes on only if that earlier step is so. */
                    dependsOn?: {
                        stepId: string;
                        /** @enum {string} */
                        is: "seen" | "unseen" | "read" | "unread" | "sent" | "failed";
                    };
                    integrations?: string[];
                    /** Format: date-time */
                    until?: string;
                    /** @description Translations that none of the reader’s languages has: their names stand in the message. */
                    missingKeys?: string[];
                }[];
            }[];
            /** @description More people would be reached than are shown. */
            hasMore: boolean;
        };
        /** TriggerEvent */
        TriggerEvent: {
            name: string;
            payload?: {
                [key: string]: unknown;
            } | null;
            overrides?: {
                [key: string]: unknown;
            } | null;
            /** @description A subscriberId, a subscriber (created or updated by this), a topic, or a list of these. */
            to?: string | components["schemas"]["SubscriberRecipient"] | components["schemas"]["TopicRecipient"] | (string | components["schemas"]["SubscriberRecipient"] | components["schemas"]["TopicRecipient"])[];
            /** Format: identifier */
            transactionId?: string | null;
            actor?: string | components["schemas"]["SubscriberRecipient"];
            tenant?: (string | null) | {
                identifier: string;
            };
            /** @description The contexts, by type. Each value is an id, or an object with an `id`. */
            context?: {
                [key: string]: string | {
                    id: string;
                    data?: {
                        [key: string]: unknown;
                    };
                };
            } | null;
            /** @description Refused, unless it is the bridge of the environment (`/v1/bridge/sync`). */
            bridgeUrl?: string | null;
        };
        /** ImportedSubscribers */
        ImportedSubscribers: {
            dryRun: boolean;
            /** @description In the order of the request. */
            subscribers: {
                subscriberId?: string;
                /** @enum {string} */
                action: "created" | "updated" | "unchanged" | "failed";
                changes: string[];
                /** @description What was not taken over, and why. */
                left: {
                    field: string;
                    why: string;
                }[];
                /** @description With `preferences`: all that they have chosen here now. */
                chosen: {
                    workflowId?: string;
                    enabled?: boolean;
                    channels: {
                        [key: string]: boolean;
                    };
                }[];
            }[];
        };
        /** ImportedTopics */
        ImportedTopics: {
            dryRun: boolean;
            /** @description In the order of the request. */
            topics: {
                key?: string;
                /** @enum {string} */
                action: "created" | "updated" | "unchanged" | "failed";
                /** @description What was not taken over, and why. */
                left: {
                    field: string;
                    why: string;
                }[];
                /** @description In the order of the request. */
                members: {
                    subscriberId?: string;
                    identifier?: string;
                    /** @enum {string} */
                    action: "created" | "updated" | "unchanged" | "failed";
                    /** @description What was not taken over, and why. */
                    left: {
                        field: string;
                        why: string;
                    }[];
                }[];
            }[];
        };
        /** InboxNotification */
        InboxNotification: {
            id: string;
            transactionId: string;
            subject?: string;
            body: string;
            to: {
                id: string;
                firstName?: string;
                lastName?: string;
                avatar?: string;
                subscriberId: string;
            };
            isRead: boolean;
            isSeen: boolean;
            isArchived: boolean;
            isSnoozed: boolean;
            snoozedUntil?: string | null;
            deliveredAt: string[];
            /** Format: date-time */
            createdAt: string;
            readAt?: string | null;
            firstSeenAt?: string | null;
            archivedAt?: string | null;
            avatar?: string;
            primaryAction?: {
                label: string;
                isCompleted: boolean;
                redirect?: {
                    url: string;
                    target?: string;
                };
            };
            secondaryAction?: {
                label: string;
                isCompleted: boolean;
                redirect?: {
                    url: string;
                    target?: string;
                };
            };
            /** @enum {string} */
            channelType: "in_app" | "email" | "sms" | "chat" | "push";
            tags?: string[];
            data?: {
                [key: string]: unknown;
            };
            redirect?: {
                url: string;
                target?: string;
            };
            workflow?: {
                id: string;
                identifier: string;
                name: string;
                critical: boolean;
                tags: string[];
                /** @enum {string} */
                severity: "high" | "medium" | "low" | "none";
            };
            /** @enum {string} */
            severity: "high" | "medium" | "low" | "none";
        };
        /** OwnChannelConnection */
        OwnChannelConnection: {
            identifier: string;
            /**
             * @description `subscriber`: your own, which you may delete.
             * @enum {string}
             */
            connectionMode: "subscriber" | "shared";
            channel: string;
            providerId: string;
            integrationIdentifier: string;
            workspace: {
                id: string;
                name?: string;
                botUserId?: string;
            };
            /** Format: date-time */
            createdAt?: string;
        };
        /** OwnChannelEndpoint */
        OwnChannelEndpoint: {
            identifier: string;
            type: string;
            providerId: string;
            integrationIdentifier: string;
            /** Format: date-time */
            createdAt: string;
        };
        /** InboxPreference */
        InboxPreference: {
            /** @enum {string} */
            level: "global" | "template";
            workflow?: {
                id: string;
                identifier: string;
                name: string;
                critical: boolean;
                tags: string[];
                /** @enum {string} */
                severity: "high" | "medium" | "low" | "none";
            };
            enabled: boolean;
            channels: {
                in_app?: boolean;
                email?: boolean;
                sms?: boolean;
                chat?: boolean;
                push?: boolean;
            };
            schedule?: {
                isEnabled: boolean;
                weeklySchedule?: {
                    monday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    tuesday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    wednesday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    thursday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    friday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    saturday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    sunday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                };
            };
            /** @description Of a subscription to a topic, where it holds. */
            subscriptionId?: string;
            /** @description JSON Logic. */
            condition?: unknown;
        };
        /** InboxSession */
        InboxSession: {
            token: string;
            totalUnreadCount: number;
            unreadCount: {
                total: number;
                severity: {
                    high: number;
                    medium: number;
                    low: number;
                    none: number;
                };
            };
            removeNovuBranding: boolean;
            isDevelopmentMode: boolean;
            /** @description A snooze must end before the notification is forgotten. */
            maxSnoozeDurationHours: number;
            applicationIdentifier: string;
            contextKeys: string[];
            schedule?: {
                isEnabled: boolean;
                weeklySchedule?: {
                    monday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    tuesday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    wednesday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    thursday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    friday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    saturday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    sunday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                };
            };
        };
        /** SubscriptionPreference */
        SubscriptionPreference: {
            subscriptionId: string;
            workflow: {
                id: string;
                identifier: string;
                name: string;
                critical: boolean;
                tags: string[];
                /** @enum {string} */
                severity: "high" | "medium" | "low" | "none";
            };
            enabled: boolean;
            /** @description JSON Logic. */
            condition?: unknown;
        };
        /** Subscription */
        Subscription: {
            id: string;
            identifier: string;
            name?: string;
            topicKey: string;
            contextKeys: string[];
            preferences: components["schemas"]["SubscriptionPreference"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** Credentials */
        Credentials: {
            apiKey?: string;
            user?: string;
            secretKey?: string;
            domain?: string;
            password?: string;
            host?: string;
            port?: string;
            region?: string;
            accountSid?: string;
            messageProfileId?: string;
            token?: string;
            from?: string;
            senderName?: string;
            projectName?: string;
            applicationId?: string;
            clientId?: string;
            baseUrl?: string;
            webhookUrl?: string;
            redirectUrl?: string;
            serviceAccount?: string;
            ipPoolName?: string;
            apiKeyRequestHeader?: string;
            secretKeyRequestHeader?: string;
            idPath?: string;
            datePath?: string;
            apiToken?: string;
            authenticationTokenKey?: string;
            instanceId?: string;
            alertUid?: string;
            title?: string;
            imageUrl?: string;
            state?: string;
            externalLink?: string;
            channelId?: string;
            phoneNumberIdentification?: string;
            accessKey?: string;
            appSid?: string;
            senderId?: string;
            AppIOBaseUrl?: string;
            secure?: boolean;
            requireTls?: boolean;
            ignoreTls?: boolean;
            hmac?: boolean;
            authenticateByToken?: boolean;
            tlsOptions?: {
                [key: string]: unknown;
            };
        };
        /** Configurations */
        Configurations: {
            inboundWebhookEnabled?: boolean;
            inboundWebhookSigningKey?: string;
            /** @enum {string} */
            whenUnknown?: "atLeastOnce" | "atMostOnce";
        };
        /**
         * IntegrationCheck
         * @description With `check`: what came of it. Refused credentials are not saved.
         */
        IntegrationCheck: {
            /** @enum {string} */
            outcome: "accepted" | "not_reached" | "not_checked";
            /** @description Why it is not known whether the provider would accept them. */
            reason?: string;
        };
        /** Integration */
        Integration: {
            _id: string;
            _environmentId: string;
            _organizationId: string;
            name: string;
            identifier: string;
            providerId: string;
            /** @enum {string} */
            channel: "in_app" | "email" | "sms" | "chat" | "push";
            credentials: components["schemas"]["Credentials"];
            configurations: components["schemas"]["Configurations"];
            active: boolean;
            deleted: boolean;
            /** Format: date-time */
            deletedAt?: string;
            deletedBy?: string;
            primary: boolean;
            conditions: components["schemas"]["StepFilter"][];
            check?: components["schemas"]["IntegrationCheck"];
        };
        /** Callbacks */
        Callbacks: {
            /** @description Calls of the vendor are taken. */
            enabled: boolean;
            /** @description Where the vendor calls; null without PUBLIC_URL. `?key=…` stands for the signing key, which is not shown. */
            url: string | null;
            /** Format: date-time */
            lastAt: string | null;
            /** @description The events of the last call that was believed, the first 20. */
            last: {
                /** @description As the lines of a message: delivered, bounced, …; or `confirmed`. */
                kind: string;
                /** @description The vendor's own word. */
                name?: string;
                /** @description Null: it tells of no message that is known here. */
                messageId: string | null;
                notificationId: string | null;
            }[];
            /** Format: date-time */
            refusedAt: string | null;
            /** @description Why the last call was refused that was not believed. */
            refused: string | null;
        };
        /** IntegrationTest */
        IntegrationTest: {
            /** @enum {string} */
            outcome: "sent" | "retry" | "rejected" | "unknown";
            reason?: string;
            /** @description The provider's id of the message. */
            id?: string;
            /** @description The provider's answer as it came, without our credentials; null when there was none. */
            providerReply: {
                status: number;
                body: string;
            } | null;
            durationMs: number;
        };
        /** Invitation */
        Invitation: {
            id: string;
            email: string;
            /**
             * @description In the organization, and in each environment that is not named; null: only in those that are.
             * @enum {string|null}
             */
            role: "owner" | "admin" | "author" | "operator" | "viewer" | null;
            environments: {
                environmentId: string;
                /**
                 * @description Null: nothing there.
                 * @enum {string|null}
                 */
                role: "admin" | "author" | "operator" | "viewer" | null;
            }[];
            /** @description As they were called then. */
            invitedBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description What became of the mail; absent where none was made. */
            mail?: {
                /**
                 * @description Waiting with a reason: it was tried, and will be again.
                 * @enum {string}
                 */
                state: "waiting" | "sent" | "failed";
                reason?: string;
            };
        };
        /** NewInvitation */
        NewInvitation: {
            id: string;
            email: string;
            /**
             * @description In the organization, and in each environment that is not named; null: only in those that are.
             * @enum {string|null}
             */
            role: "owner" | "admin" | "author" | "operator" | "viewer" | null;
            environments: {
                environmentId: string;
                /**
                 * @description Null: nothing there.
                 * @enum {string|null}
                 */
                role: "admin" | "author" | "operator" | "viewer" | null;
            }[];
            /** @description As they were called then. */
            invitedBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description What became of the mail; absent where none was made. */
            mail?: {
                /**
                 * @description Waiting with a reason: it was tried, and will be again.
                 * @enum {string}
                 */
                state: "waiting" | "sent" | "failed";
                reason?: string;
            };
            /** @description Shown this once. Whole where PUBLIC_URL is set; else the path of a page here. */
            link: string;
            /** @description Why no mail is sent: the link is to be handed over. */
            mailFault?: string;
        };
        /** Member */
        Member: {
            personId: string;
            email: string;
            name: string;
            /**
             * @description In the organization, and in each environment that is not named; null: only in those that are.
             * @enum {string|null}
             */
            role: "owner" | "admin" | "author" | "operator" | "viewer" | null;
            environments: {
                environmentId: string;
                /**
                 * @description Null: nothing there.
                 * @enum {string|null}
                 */
                role: "admin" | "author" | "operator" | "viewer" | null;
            }[];
            hasPassword: boolean;
            /** @description Signs in with a second proof besides the password. */
            twoFactor: boolean;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description To the minute.
             */
            lastSeenAt?: string;
        };
        /** WhoActs */
        WhoActs: {
            _id: string;
            firstName: string;
            /** @enum {string} */
            type: "person" | "key" | "link" | "command" | "service";
        };
        /** Message */
        Message: {
            _id: string;
            _templateId?: string | null;
            _messageTemplateId?: string | null;
            _feedId?: string | null;
            _environmentId: string;
            _organizationId: string;
            _notificationId: string;
            _subscriberId: string;
            subscriber?: components["schemas"]["Subscriber"];
            template?: components["schemas"]["EmbeddedWorkflow"];
            templateIdentifier?: string;
            /** Format: date-time */
            createdAt: string;
            deliveredAt?: string[];
            lastSeenDate?: string;
            lastReadDate?: string;
            snoozedUntil?: string;
            /** @description Here always a string. */
            content?: string | components["schemas"]["EmailBlock"][];
            transactionId: string;
            subject?: string;
            email?: string;
            phone?: string;
            title?: string;
            providerId?: string;
            errorId?: string;
            errorText?: string;
            /** @enum {string} */
            channel: "in_app" | "email" | "sms" | "chat" | "push";
            read: boolean;
            seen: boolean;
            cta: components["schemas"]["MessageCTA"];
            /** @enum {string} */
            status: "sent" | "error" | "warning";
            payload?: {
                [key: string]: unknown;
            };
            overrides?: {
                [key: string]: unknown;
            };
            contextKeys?: string[];
        };
        /** JobDigest */
        JobDigest: {
            /** @enum {string} */
            type: "regular" | "backoff" | "timed";
            digestKey?: string;
            amount?: number;
            /** @enum {string} */
            unit?: "seconds" | "minutes" | "hours" | "days" | "weeks" | "months";
            events?: {
                [key: string]: unknown;
            }[];
            backoff?: boolean;
            backoffAmount?: number;
            /** @enum {string} */
            backoffUnit?: "seconds" | "minutes" | "hours" | "days" | "weeks" | "months";
            /** @description Not sent. */
            updateMode?: boolean;
            timed?: {
                atTime?: string;
                weekDays?: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[];
                monthDays?: number[];
                /** @enum {string} */
                ordinal?: "1" | "2" | "3" | "4" | "5" | "last";
                /** @enum {string} */
                ordinalValue?: "day" | "weekday" | "weekend" | "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
                /** @enum {string} */
                monthlyType?: "each" | "on";
                cronExpression?: string;
                untilDate?: string;
            };
        };
        /** ExecutionDetail */
        ExecutionDetail: {
            _id: string;
            /** Format: date-time */
            createdAt: string;
            /** @enum {string} */
            status: "Success" | "Warning" | "Failed" | "Pending" | "Queued" | "ReadConfirmation";
            detail: string;
            isRetry: boolean;
            isTest: boolean;
            /** @enum {string} */
            providerId?: "emailjs" | "mailgun" | "mailjet" | "mandrill" | "nodemailer" | "postmark" | "sendgrid" | "sendinblue" | "ses" | "netcore" | "infobip-email" | "resend" | "plunk" | "mailersend" | "mailtrap" | "clickatell" | "outlook365" | "platform-email" | "sparkpost" | "email-webhook" | "braze" | "nexmo" | "plivo" | "sms77" | "sms-central" | "sns" | "telnyx" | "twilio" | "gupshup" | "firetext" | "infobip-sms" | "burst-sms" | "bulk-sms" | "isend-sms" | "forty-six-elks" | "kannel" | "maqsam" | "termii" | "africas-talking" | "platform-sms" | "sendchamp" | "generic-sms" | "clicksend" | "bandwidth" | "messagebird" | "simpletexting" | "azure-sms" | "ring-central" | "brevo-sms" | "eazy-sms" | "mobishastra" | "afro-message" | "unifonic" | "smsmode" | "imedia" | "sinch" | "fcm" | "apns" | "expo" | "one-signal" | "pushpad" | "push-webhook" | "pusher-beams" | "appio" | "platform" | "slack" | "discord" | "msteams" | "mattermost" | "ryver" | "zulip" | "grafana-on-call" | "getstream" | "rocket-chat" | "whatsapp-business" | "chat-webhook" | "platform-slack";
            raw?: string;
            /** @enum {string} */
            source: "Credentials" | "Internal" | "Payload" | "Webhook";
        };
        /** Job */
        Job: {
            _id: string;
            /** @enum {string} */
            type: "in_app" | "email" | "sms" | "chat" | "push" | "digest" | "trigger" | "delay" | "throttle" | "custom";
            digest?: components["schemas"]["JobDigest"];
            executionDetails: components["schemas"]["ExecutionDetail"][];
            step: {
                _id: string;
                active: boolean;
                filters: components["schemas"]["StepFilter"][];
                _templateId: string;
                name?: string;
                metadata?: {
                    [key: string]: unknown;
                };
                replyCallback?: {
                    [key: string]: unknown;
                };
                template?: {
                    [key: string]: unknown;
                };
                variants?: {
                    _id: string;
                    active: boolean;
                    filters: components["schemas"]["StepFilter"][];
                    _templateId: string;
                    name?: string;
                    metadata?: {
                        [key: string]: unknown;
                    };
                    template?: {
                        [key: string]: unknown;
                    };
                }[];
                controlVariables?: {
                    [key: string]: unknown;
                };
                issues?: {
                    [key: string]: unknown;
                };
                _parentId?: string | null;
            };
            overrides?: {
                [key: string]: unknown;
            };
            payload?: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            providerId: "emailjs" | "mailgun" | "mailjet" | "mandrill" | "nodemailer" | "postmark" | "sendgrid" | "sendinblue" | "ses" | "netcore" | "infobip-email" | "resend" | "plunk" | "mailersend" | "mailtrap" | "clickatell" | "outlook365" | "platform-email" | "sparkpost" | "email-webhook" | "braze" | "nexmo" | "plivo" | "sms77" | "sms-central" | "sns" | "telnyx" | "twilio" | "gupshup" | "firetext" | "infobip-sms" | "burst-sms" | "bulk-sms" | "isend-sms" | "forty-six-elks" | "kannel" | "maqsam" | "termii" | "africas-talking" | "platform-sms" | "sendchamp" | "generic-sms" | "clicksend" | "bandwidth" | "messagebird" | "simpletexting" | "azure-sms" | "ring-central" | "brevo-sms" | "eazy-sms" | "mobishastra" | "afro-message" | "unifonic" | "smsmode" | "imedia" | "sinch" | "fcm" | "apns" | "expo" | "one-signal" | "pushpad" | "push-webhook" | "pusher-beams" | "appio" | "platform" | "slack" | "discord" | "msteams" | "mattermost" | "ryver" | "zulip" | "grafana-on-call" | "getstream" | "rocket-chat" | "whatsapp-business" | "chat-webhook" | "platform-slack";
            status: string;
            updatedAt?: string;
            scheduleExtensionsCount?: number;
            messages?: {
                [key: string]: unknown;
            }[];
        };
        /** Activity */
        Activity: {
            _id: string;
            _environmentId: string;
            _organizationId: string;
            _subscriberId: string;
            transactionId: string;
            _templateId?: string;
            _digestedNotificationId?: string;
            createdAt?: string;
            updatedAt?: string;
            channels?: ("in_app" | "email" | "sms" | "chat" | "push" | "digest" | "trigger" | "delay" | "throttle" | "custom")[];
            subscriber?: {
                subscriberId: string;
                _id: string;
                firstName?: string;
                lastName?: string;
                email?: string;
                phone?: string;
            };
            template?: {
                _id?: string;
                name: string;
                /** @enum {string} */
                origin?: "platform-cloud" | "platform-cloud-v1" | "external";
                triggers: components["schemas"]["NotificationTrigger"][];
            };
            jobs: components["schemas"]["Job"][];
            payload?: {
                [key: string]: unknown;
            };
            controls?: {
                [key: string]: unknown;
            };
            to?: {
                [key: string]: unknown;
            };
            tags?: string[];
            topics?: {
                _topicId: string;
                topicKey: string;
            }[];
            /** @enum {string} */
            severity?: "high" | "medium" | "low" | "none";
            critical?: boolean;
            contextKeys?: string[];
        };
        /** Attempt */
        Attempt: {
            number: number;
            providerId: string;
            integrationId: string;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            endedAt?: string;
            /** @enum {string} */
            outcome?: "sent" | "retry" | "rejected" | "unknown";
            /** @description Refused because of the integration, not of the message. */
            integrationRefused: boolean;
            /** @description The provider's words. */
            reason?: string;
        };
        /** SentMessage */
        SentMessage: {
            _id: string;
            jobId: string;
            stepId: string;
            /** @enum {string} */
            channel: "in_app" | "email" | "sms" | "chat" | "push";
            /** @enum {string} */
            status: "sent" | "error" | "warning";
            /** @enum {string} */
            delivery?: "open" | "sent" | "rejected" | "unknown" | "dead" | "canceled";
            subject?: string;
            content: string;
            /** @description E-mails, as they are sent. */
            html?: string;
            text?: string;
            to?: string;
            from?: {
                email: string;
                name?: string;
            };
            replyTo?: string;
            cta: components["schemas"]["MessageCTA"];
            avatar?: string;
            data?: {
                [key: string]: unknown;
            };
            providerId?: string;
            integrationId?: string;
            /** @description The provider's id of the message. */
            externalId?: string;
            /** @enum {string} */
            feedback?: "delivered" | "bounced" | "complained";
            errorId?: string;
            errorText?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            nextTryAt?: string;
            /** Format: date-time */
            expiresAt?: string;
            attempts: components["schemas"]["Attempt"][];
        };
        /** Trouble */
        Trouble: {
            /** @enum {string} */
            code: "no_worker" | "dead_letters" | "provider_failing" | "no_integration" | "events_waiting" | "timers_late" | "workflow_failing" | "tasks_quarantined" | "deliveries_unknown" | "bounces_growing" | "webhook_disabled" | "webhook_failing";
            /** @enum {string} */
            severity: "error" | "warning";
            text: string;
            advice: string;
            count: number;
            target: {
                /** @enum {string} */
                page: "dead-letters" | "integrations" | "activity" | "workflows" | "suppressions" | "webhooks";
                /** @enum {string} */
                channel?: "in_app" | "email" | "sms" | "chat" | "push";
                providerId?: string;
                workflowId?: string;
                /** @enum {string} */
                outcome?: "accepted" | "notified" | "sent" | "failed" | "unknown" | "retried" | "skipped" | "merged" | "canceled" | "redriven" | "delivered" | "bounced" | "complained";
                endpointId?: string;
            };
        };
        /** NumbersNow */
        NumbersNow: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            status: "ok" | "error" | "warning";
            /** @description Events that are accepted and have people left to reach. */
            waiting: {
                events: number;
                capped: boolean;
                oldestSeconds: number;
            };
            /** @description The worst first. */
            items: components["schemas"]["Trouble"][];
            cursor: string;
        };
        /** NumbersSeries */
        NumbersSeries: {
            key: {
                /** @enum {string} */
                outcome: "accepted" | "notified" | "sent" | "failed" | "unknown" | "retried" | "skipped" | "merged" | "canceled" | "redriven" | "delivered" | "bounced" | "complained";
                /** @enum {string} */
                channel?: "in_app" | "email" | "sms" | "chat" | "push";
                workflowId?: string;
                workflowName?: string;
                providerId?: string;
            };
            total: number;
            /** @description Oldest first. A step without a point counts nothing. */
            points: {
                /** Format: date-time */
                at: string;
                n: number;
            }[];
        };
        /** Numbers */
        Numbers: {
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            step: "minute" | "hour" | "day";
            /** @description The largest first. */
            series: components["schemas"]["NumbersSeries"][];
            /** @description There are smaller series than those shown; the totals count them too. */
            hasMore: boolean;
            totals: {
                accepted: number;
                notified: number;
                sent: number;
                failed: number;
                unknown: number;
                retried: number;
                skipped: number;
                merged: number;
                canceled: number;
                redriven: number;
                delivered: number;
                bounced: number;
                complained: number;
            };
            /** @description Another one means that something has changed since. */
            cursor: string;
        };
        /** Organization */
        Organization: {
            id: string;
            /** Format: identifier */
            name: string;
            /** @description The e-mail integration that sends invitations and resets. From then on only owners change it. */
            mail: {
                environmentId: string;
                integrationId: string;
            } | null;
            /** @description Whoever comes by a password and has no second proof is let in only to set one up. */
            requireTwoFactor: boolean;
            /**
             * @description owners-only: everybody else comes in by a sign-in connection.
             * @enum {string}
             */
            passwords: "allowed" | "owners-only";
            /** @description What sends its mails now, chosen or, in development, the mailbox of its first environment. */
            mailBy: {
                environmentId: string;
                integrationId: string;
                name: string;
                providerId: string;
            } | null;
            /** @description Why no mail can be made now. */
            mailFault?: string;
        };
        /** OrganizationName */
        OrganizationName: {
            _id: string;
            name: string;
        };
        /** CallbackSetup */
        CallbackSetup: {
            /** @description What `inboundWebhookSigningKey` is: the vendor's name for it, and where it is found. */
            key: {
                label: string;
                help: string;
            };
            /** @description The vendor signs nothing: the address it is given holds the key. */
            keyInUrl: boolean;
            /** @description Each message names the address, if PUBLIC_URL is set: nothing has to be set up at the vendor. */
            perMessage: boolean;
        };
        /** CredentialField */
        CredentialField: {
            /** @description The field of `credentials`. */
            name: string;
            /** @description What the vendor calls it. */
            label: string;
            help?: string;
            /** @enum {string} */
            kind: "text" | "url" | "host" | "port" | "flag" | "choice" | "object";
            secret: boolean;
            /** @description Must be there before the integration can be active. */
            required: boolean;
            /** @description Of a choice. */
            values?: string[];
            /** @description Decides which server the secrets go to: when it changes, they must be sent again. */
            where: boolean;
        };
        /** Provider */
        Provider: {
            providerId: string;
            /** @enum {string} */
            channel: "in_app" | "email" | "sms" | "chat" | "push";
            displayName: string;
            documentation?: string;
            /** @description Where request and replies come from. */
            verified: string;
            /** @enum {string} */
            tier: "T0" | "T1" | "T2" | "T3";
            idempotencyWindowMs?: number;
            /** @description Our id goes with the message: one in doubt can be found by it. */
            traceable: boolean;
            /** @enum {string} */
            whenUnknown: "atLeastOnce" | "atMostOnce";
            tokensPerCall?: number;
            usesSubscriberWebhook: boolean;
            developmentOnly: boolean;
            /** @description False: for development only, and this is production. */
            available: boolean;
            /** @description The credentials can be checked without sending anything. */
            canCheck: boolean;
            /** @description The vendor can tell us what became of messages. */
            callbacks: boolean;
            callbackSetup?: components["schemas"]["CallbackSetup"];
            /** @description The vendor tells what became of messages when it is asked: we ask. */
            receipts: boolean;
            /** @description The types of channel endpoints it sends to. */
            endpoints: string[];
            /** @description Its app is installed in workspaces by OAuth (channel connections). */
            connects: boolean;
            /** @description Of such an app: what to register at the vendor. Missing: PUBLIC_URL is not set. */
            redirectUri?: string;
            /** @description People are linked to its bot by opening an address. */
            links: boolean;
            /** @description One of ours: the published clients do not know its id. */
            further: boolean;
            /** @description Where no single credential is always required: what it takes, in words. */
            needs?: string;
            credentials: components["schemas"]["CredentialField"][];
        };
        /** ResourceDiff */
        ResourceDiff: {
            /** @constant */
            resourceType: "REGULAR";
            /** @enum {string} */
            kind: "workflow" | "layout" | "translation" | "setting";
            /** @description The workflowId or layoutId; of words, as in workflows/order/de_AT; of a setting, its name. */
            resourceId: string;
            name: string;
            /** @enum {string} */
            action: "added" | "modified" | "deleted";
            /** @description It is only in the target and did not come by publishing: it stays, unless it is chosen. */
            onlyIfChosen: boolean;
            sourceResource: {
                id: string | null;
                name: string | null;
                /** Format: date-time */
                updatedAt: string | null;
                updatedBy: {
                    _id: string;
                    firstName: string;
                } | null;
            } | null;
            targetResource: {
                id: string | null;
                name: string | null;
                /** Format: date-time */
                updatedAt: string | null;
                updatedBy: {
                    _id: string;
                    firstName: string;
                } | null;
            } | null;
            changes: components["schemas"]["ResourceChange"][];
            /** @description There are more changes than are shown. */
            isShortened: boolean;
            summary: {
                added: number;
                modified: number;
                deleted: number;
                unchanged: number;
            };
            dependencies?: {
                /** @constant */
                resourceType: "REGULAR";
                /** @enum {string} */
                kind: "workflow" | "layout" | "translation" | "setting";
                /** @description The workflowId or layoutId; of words, as in workflows/order/de_AT; of a setting, its name. */
                resourceId: string;
                resourceName: string;
                isBlocking: boolean;
                /** @enum {string} */
                reason: "LAYOUT_REQUIRED_FOR_WORKFLOW" | "LAYOUT_EXISTS_IN_TARGET";
            }[];
            /** @description What differs too and is published with it, also what those need in turn. */
            needs: {
                /** @enum {string} */
                kind: "workflow" | "layout" | "translation" | "setting";
                resourceId: string;
            }[];
            warnings: string[];
        };
        /** PublicationDetail */
        PublicationDetail: {
            _id: string;
            sourceEnvironmentId?: string;
            /** @description As the source was called then. */
            sourceName?: string;
            /** @description What was put back, in place of a source. */
            restored?: {
                publicationId: string;
                /** @enum {string} */
                state: "before" | "after";
            };
            note?: string;
            summary: {
                added: number;
                modified: number;
                deleted: number;
            };
            /** Format: date-time */
            createdAt: string;
            createdBy?: {
                _id: string;
                /** @description Of the person or API key, as far as it is known. */
                name?: string;
                /** @enum {string} */
                type?: "person" | "key" | "link" | "command" | "service";
            };
            changes: {
                kind: string;
                resourceId: string;
                name: string;
                /** @enum {string} */
                action: "added" | "modified" | "deleted";
            }[];
            /** @description What changed, line by line. */
            resources: components["schemas"]["ResourceDiff"][];
        };
        /** Publication */
        Publication: {
            _id: string;
            sourceEnvironmentId?: string;
            /** @description As the source was called then. */
            sourceName?: string;
            /** @description What was put back, in place of a source. */
            restored?: {
                publicationId: string;
                /** @enum {string} */
                state: "before" | "after";
            };
            note?: string;
            summary: {
                added: number;
                modified: number;
                deleted: number;
            };
            /** Format: date-time */
            createdAt: string;
            createdBy?: {
                _id: string;
                /** @description Of the person or API key, as far as it is known. */
                name?: string;
                /** @enum {string} */
                type?: "person" | "key" | "link" | "command" | "service";
            };
        };
        /** PublishedEnvironment */
        PublishedEnvironment: {
            results: {
                /** @constant */
                resourceType: "REGULAR";
                /** @enum {string} */
                kind: "workflow" | "layout" | "translation" | "setting";
                successful: {
                    /** @constant */
                    resourceType: "REGULAR";
                    /** @enum {string} */
                    kind: "workflow" | "layout" | "translation" | "setting";
                    /** @description The workflowId or layoutId; of words, as in workflows/order/de_AT; of a setting, its name. */
                    resourceId: string;
                    resourceName: string;
                    /** @enum {string} */
                    action: "created" | "updated" | "deleted";
                }[];
                /** @description Always empty: all of it is published, or nothing. */
                failed: {
                    /** @constant */
                    resourceType: "REGULAR";
                    /** @enum {string} */
                    kind: "workflow" | "layout" | "translation" | "setting";
                    /** @description The workflowId or layoutId; of words, as in workflows/order/de_AT; of a setting, its name. */
                    resourceId: string;
                    resourceName: string;
                    error: string;
                }[];
                skipped: {
                    /** @constant */
                    resourceType: "REGULAR";
                    /** @enum {string} */
                    kind: "workflow" | "layout" | "translation" | "setting";
                    /** @description The workflowId or layoutId; of words, as in workflows/order/de_AT; of a setting, its name. */
                    resourceId: string;
                    resourceName: string;
                    reason: string;
                }[];
                totalProcessed: number;
            }[];
            summary: {
                resources: number;
                successful: number;
                failed: number;
                skipped: number;
            };
            dryRun: boolean;
            fingerprint: string;
            /** @description Absent when nothing was changed. */
            publicationId?: string;
        };
        /** Send */
        Send: {
            transactionId: string;
            eventId: string;
            workflowId: string;
            workflowName: string;
            /** @enum {string} */
            kind: "broadcast" | "topic" | "list";
            /**
             * @description running: it goes out. canary: the first people are sent to. waiting: they are through, and it waits for a person or a time. paused: it stands still. canceling: nothing begins, and what was written is taken back.
             * @enum {string}
             */
            state: "running" | "canary" | "waiting" | "paused" | "canceling" | "canceled" | "done";
            reason: string | null;
            reasonText: string | null;
            since: string;
            createdAt: string;
            resumesAt: string | null;
            canaryPeople: number | null;
            /** @description It is stopped when too much of it fails. */
            guarded: boolean;
            bounds: {
                failuresPercent: number;
                complaintsPercent: number;
            } | null;
            people: {
                total: number | null;
                /** @description Reached: they have a notification. */
                written: number;
                /** @description Not reached yet. */
                left: number;
                /** @description Not reached because it was canceled. */
                leftOut: number;
            };
            messages: {
                /** @description To be sent, or between two tries. */
                waiting: number;
                sent: number;
                /** @description Refused, or could not be made. */
                failed: number;
                /** @description Given up after tries; can be redriven. */
                dead: number;
                /** @description No clear answer: may have been sent. */
                unknown: number;
                /** @description Suppressed, or without an address. */
                skipped: number;
                canceled: number;
            };
            feedback: {
                delivered: number;
                bounced: number;
                complained: number;
            };
            steps: {
                skipped: number;
                failed: number;
                canceled: number;
                merged: number;
            };
            channels: {
                [key: string]: {
                    /** @description To be sent, or between two tries. */
                    waiting: number;
                    sent: number;
                    /** @description Refused, or could not be made. */
                    failed: number;
                    /** @description Given up after tries; can be redriven. */
                    dead: number;
                    /** @description No clear answer: may have been sent. */
                    unknown: number;
                    /** @description Suppressed, or without an address. */
                    skipped: number;
                    canceled: number;
                };
            };
            may: {
                pause: boolean;
                resume: boolean;
                cancel: boolean;
            };
            /** @description The oldest first. */
            history: {
                at: string;
                state: string;
                reason: string | null;
                text: string | null;
                by: string | null;
            }[];
        };
        /** CheckedSignInConnection */
        CheckedSignInConnection: {
            /** @description As far as one can see without signing in. */
            works: boolean;
            /** @description What keeps people out. */
            faults: string[];
            /** @description What is good to know. */
            notes: string[];
        };
        /** SignInConnection */
        SignInConnection: {
            id: string;
            /**
             * Format: identifier
             * @description As the button at the sign-in says: Continue with …
             */
            name: string;
            /** @description As the issuer calls itself; begins with https. */
            issuer: string;
            /**
             * Format: identifier
             * @description What the issuer calls this installation.
             */
            clientId: string;
            /** @description What is asked of the issuer besides openid; usually email and profile. */
            scopes: string[];
            /** @description It vouches for e-mail addresses of these alone; subdomains are others. */
            domains: string[];
            /** @description Its issuer never says that it has checked an address, but people cannot choose theirs there. */
            trustsEmail: boolean;
            /**
             * Format: identifier
             * @description Where the issuer names the groups of a person, such as groups or realm_access.roles.
             */
            groupsClaim: string | null;
            /** @description In order: the first group that somebody is in says what they are. */
            groupRoles: {
                /** Format: identifier */
                group: string;
                /** @enum {string} */
                role: "owner" | "admin" | "author" | "operator" | "viewer";
            }[];
            /**
             * @description For those in none of the groups; null: they may not come in.
             * @enum {string|null}
             */
            defaultRole: "owner" | "admin" | "author" | "operator" | "viewer" | null;
            /** @description Whoever it vouches for becomes a member; otherwise only who was invited. */
            joins: boolean;
            /** @description Off: nobody comes in by it, and whoever did is signed out. */
            active: boolean;
        };
        /** FeedItem */
        FeedItem: {
            _id: string;
            _templateId: string;
            _environmentId: string;
            _messageTemplateId?: string;
            _organizationId: string;
            _notificationId: string;
            _subscriberId: string;
            _feedId?: string | null;
            _jobId: string;
            createdAt?: string | null;
            updatedAt?: string | null;
            actor?: {
                data: string | null;
                /** @enum {string} */
                type: "none" | "user" | "system_icon" | "system_custom";
            };
            subscriber?: {
                _id?: string;
                firstName?: string;
                lastName?: string;
                avatar?: string;
                subscriberId: string;
            };
            transactionId: string;
            templateIdentifier?: string | null;
            providerId?: string | null;
            content: string;
            subject?: string | null;
            /** @enum {string} */
            channel: "in_app" | "email" | "sms" | "chat" | "push";
            read: boolean;
            seen: boolean;
            archived: boolean;
            deviceTokens?: string[] | null;
            cta: components["schemas"]["MessageCTA"];
            /** @enum {string} */
            status: "sent" | "error" | "warning";
            payload?: {
                [key: string]: unknown;
            };
            data?: {
                [key: string]: unknown;
            } | null;
            overrides?: {
                [key: string]: unknown;
            };
            tags?: string[] | null;
        };
        /** Suppression */
        Suppression: {
            /** @enum {string} */
            channel: "email" | "sms";
            /** @description In lower case. */
            address: string;
            /** @enum {string} */
            reason: "bounced" | "complained" | "unsubscribed";
            /** @description The message that bounced or that was complained about. */
            messageId?: string;
            /** Format: date-time */
            createdAt: string;
        };
        /** Tenant */
        Tenant: {
            _id: string;
            identifier: string;
            name?: string;
            data?: {
                [key: string]: unknown;
            };
            _environmentId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** WebhookEndpointWithSecret */
        WebhookEndpointWithSecret: {
            _id: string;
            url: string;
            description: string | null;
            /** @description Null: everything. */
            eventTypes: string[] | null;
            /** @enum {string} */
            status: "enabled" | "disabled";
            /** @description Null: it works, or you disabled it. */
            disabledReason: string | null;
            /**
             * Format: date-time
             * @description Since when everything that was tried has failed.
             */
            failingSince: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Shown now and never again. */
            secret: string;
        };
        /** WebhookTry */
        WebhookTry: {
            number: number;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            endedAt: string | null;
            /**
             * @description `paced`: asked to wait (429). `unknown`: nobody recorded what became of it.
             * @enum {string}
             */
            outcome: "delivered" | "failed" | "paced" | "unknown";
            /** @description Of the HTTP reply; null: there was none. */
            status: number | null;
            /** @description The first 500 characters of the reply, or why there was none. */
            reply: string | null;
        };
        /** WebhookDelivery */
        WebhookDelivery: {
            /** @description Of the event: `webhook-id` in every try. */
            _id: string;
            /** @enum {string} */
            type: "message.sent" | "message.failed" | "message.delivered" | "message.bounced" | "message.complained" | "message.seen" | "message.read" | "message.unread" | "message.archived" | "message.unarchived" | "message.snoozed" | "message.unsnoozed" | "message.deleted" | "notification.completed" | "preference.updated" | "subscriber.created" | "subscriber.updated" | "subscriber.deleted" | "workflow.created" | "workflow.updated" | "workflow.deleted" | "workflow.published" | "endpoint.test";
            /** @enum {string} */
            status: "open" | "delivered" | "failed";
            event: {
                type: string;
                /** Format: date-time */
                timestamp: string;
                environmentId: string;
                data: {
                    [key: string]: unknown;
                };
            };
            /**
             * Format: date-time
             * @description Null: it is settled, or being tried now.
             */
            nextTryAt: string | null;
            /** @description The last 20, the oldest first. */
            tries: components["schemas"]["WebhookTry"][];
            /** Format: date-time */
            createdAt: string;
        };
        /** WebhookEndpoint */
        WebhookEndpoint: {
            _id: string;
            url: string;
            description: string | null;
            /** @description Null: everything. */
            eventTypes: string[] | null;
            /** @enum {string} */
            status: "enabled" | "disabled";
            /** @description Null: it works, or you disabled it. */
            disabledReason: string | null;
            /**
             * Format: date-time
             * @description Since when everything that was tried has failed.
             */
            failingSince: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** Context */
        Context: {
            type: string;
            id: string;
            data: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** EnvironmentDiff */
        EnvironmentDiff: {
            sourceEnvironmentId: string;
            targetEnvironmentId: string;
            resources: components["schemas"]["ResourceDiff"][];
            summary: {
                totalEntities: number;
                /** @description Of resources, without those that stay unless they are chosen. */
                totalChanges: number;
                hasChanges: boolean;
            };
            /** @description Given to publish, it publishes this and nothing else. */
            fingerprint: string;
        };
        /** Layout */
        Layout: {
            _id: string;
            layoutId: string;
            slug: string;
            name: string;
            isDefault: boolean;
            isTranslationEnabled: boolean;
            /** @description Of the environment, in which it was last changed. */
            edition: number;
            origin: string;
            /** @constant */
            type: "REGULAR";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            updatedBy: {
                /** @description Of the person or API key. */
                _id: string;
                /** @description Their name, as far as it is known. */
                firstName?: string;
            } | null;
            variables: {
                [key: string]: unknown;
            };
            controls: {
                values: {
                    email: {
                        body: string;
                        /** @enum {string} */
                        editorType: "html" | "block";
                    };
                };
            };
            /** @description What of a document of blocks is not sent as it stands there. Nothing is held back. */
            issues?: {
                controls: {
                    [key: string]: {
                        /** @enum {string} */
                        issueType: "ILLEGAL_VARIABLE_IN_CONTROL_VALUE" | "MISSING_VALUE";
                        message: string;
                        /** @constant */
                        severity: "warning";
                        variableName?: string;
                    }[];
                };
            };
        };
        /** LayoutPreview */
        LayoutPreview: {
            result: {
                /** @constant */
                type: "email";
                preview: {
                    body: string;
                    text?: string;
                };
                errors: {
                    /** @description The path in controlValues. */
                    field: string;
                    message: string;
                }[];
                warnings?: {
                    /** @description The path in controlValues. */
                    field: string;
                    message: string;
                }[];
            };
            /** @description What it was rendered with. */
            previewPayloadExample: {
                [key: string]: unknown;
            };
            schema: {
                [key: string]: unknown;
            } | null;
        };
        /** Topic */
        Topic: {
            _id: string;
            key: string;
            name?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** SubscriberSummary */
        SubscriberSummary: {
            _id: string;
            subscriberId: string;
            avatar?: string | null;
            firstName?: string | null;
            lastName?: string | null;
            email?: string | null;
        };
        /** TopicSubscription */
        TopicSubscription: {
            _id: string;
            identifier: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            topic: components["schemas"]["Topic"];
            subscriber: components["schemas"]["SubscriberSummary"];
        };
        /** ExportedPreferences */
        ExportedPreferences: {
            choices: {
                /** @description Absent: for every workflow. */
                workflowId?: string;
                enabled?: boolean;
                channels: {
                    in_app?: boolean;
                    email?: boolean;
                    sms?: boolean;
                    chat?: boolean;
                    push?: boolean;
                };
                /** Format: date-time */
                updatedAt: string;
            }[];
            schedule?: {
                isEnabled: boolean;
                weeklySchedule?: {
                    monday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    tuesday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    wednesday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    thursday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    friday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    saturday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                    sunday?: {
                        isEnabled: boolean;
                        hours?: {
                            start: string;
                            end: string;
                        }[];
                    };
                };
            };
        };
        /** ChangedPreference */
        ChangedPreference: {
            /** @enum {string} */
            level: "global" | "template";
            workflow: {
                id: string;
                identifier: string;
                name: string;
                critical: boolean;
                tags: string[];
                /** @enum {string} */
                severity: "high" | "medium" | "low" | "none";
            };
            enabled: boolean;
            channels: {
                in_app?: boolean;
                email?: boolean;
                sms?: boolean;
                chat?: boolean;
                push?: boolean;
            };
        };
        /** SubscriberWorkflowPreference */
        SubscriberWorkflowPreference: {
            enabled: boolean;
            /** @description The subscriber has no say in it. */
            readOnly: boolean;
            channels: {
                in_app?: boolean;
                email?: boolean;
                sms?: boolean;
                chat?: boolean;
                push?: boolean;
            };
            /** @description Who decided, channel by channel. */
            overrides: {
                /** @enum {string} */
                channel: "in_app" | "email" | "sms" | "chat" | "push";
                /** @enum {string} */
                source: "subscriber" | "template" | "workflowOverride";
            }[];
            workflow: {
                slug: string;
                identifier: string;
                name: string;
                critical: boolean;
                /** Format: date-time */
                updatedAt: string;
            };
            /** Format: date-time */
            updatedAt?: string;
        };
        /** SubscriberPreferences */
        SubscriberPreferences: {
            global: {
                enabled: boolean;
                channels: {
                    in_app?: boolean;
                    email?: boolean;
                    sms?: boolean;
                    chat?: boolean;
                    push?: boolean;
                };
                schedule?: {
                    isEnabled: boolean;
                    weeklySchedule?: {
                        monday?: {
                            isEnabled: boolean;
                            hours?: {
                                start: string;
                                end: string;
                            }[];
                        };
                        tuesday?: {
                            isEnabled: boolean;
                            hours?: {
                                start: string;
                                end: string;
                            }[];
                        };
                        wednesday?: {
                            isEnabled: boolean;
                            hours?: {
                                start: string;
                                end: string;
                            }[];
                        };
                        thursday?: {
                            isEnabled: boolean;
                            hours?: {
                                start: string;
                                end: string;
                            }[];
                        };
                        friday?: {
                            isEnabled: boolean;
                            hours?: {
                                start: string;
                                end: string;
                            }[];
                        };
                        saturday?: {
                            isEnabled: boolean;
                            hours?: {
                                start: string;
                                end: string;
                            }[];
                        };
                        sunday?: {
                            isEnabled: boolean;
                            hours?: {
                                start: string;
                                end: string;
                            }[];
                        };
                    };
                };
            };
            workflows: components["schemas"]["SubscriberWorkflowPreference"][];
        };
        /** TopicMember */
        TopicMember: {
            _id: string;
            identifier: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            topic: components["schemas"]["Topic"];
            subscriber: components["schemas"]["SubscriberSummary"];
            /** @description Every subscription of this member to the topic: names, contexts and choices. */
            subscriptions: components["schemas"]["Subscription"][];
        };
        /** ChangedTopicSubscription */
        ChangedTopicSubscription: {
            _id: string;
            identifier: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            topic: components["schemas"]["Topic"];
            subscriber: components["schemas"]["SubscriberSummary"];
            name?: string;
            contextKeys: string[];
            preferences: components["schemas"]["SubscriptionPreference"][];
        };
        /** Translation */
        Translation: {
            /** @description The workflowId or layoutId. */
            resourceId: string;
            /** @enum {string} */
            resourceType: "workflow" | "layout";
            /** @description As in en_US. */
            locale: string;
            /** @description By key, nested or not. */
            content: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** TranslationGroup */
        TranslationGroup: {
            resourceId: string;
            /** @enum {string} */
            resourceType: "workflow" | "layout";
            resourceName: string;
            locales: string[];
            /** @description Those that lack keys which templates ask for. */
            outdatedLocales?: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** MissingTranslations */
        MissingTranslations: {
            resourceId: string;
            /** @enum {string} */
            resourceType: "workflow" | "layout";
            defaultLocale: string;
            /** @description What its templates ask for. */
            keys: string[];
            /** @description Not in the default language either: readers whose language has none see the name of the key. */
            untranslatedKeys: string[];
            locales: {
                locale: string;
                /** @description Neither in this language nor in its parents. */
                missingKeys: string[];
                /** @description Translated, and asked for by no template. */
                unusedKeys: string[];
            }[];
        };
        /**
         * MasterTranslations
         * @description All words of one language, by workflowId and layoutId.
         */
        MasterTranslations: {
            workflows: {
                [key: string]: unknown;
            };
            layouts: {
                [key: string]: unknown;
            };
        };
        /** ImportedTranslations */
        ImportedTranslations: {
            success: boolean;
            message: string;
            successful?: string[];
            failed?: string[];
        };
        /** UploadedTranslations */
        UploadedTranslations: {
            totalFiles: number;
            successfulUploads: number;
            failedUploads: number;
            errors: string[];
        };
        /** StepVariant */
        StepVariant: {
            name?: string;
            filters: components["schemas"]["StepFilter"][];
            controlValues: {
                [key: string]: unknown;
            };
        };
        /** WorkflowStep */
        WorkflowStep: {
            _id: string;
            stepId: string;
            slug: string;
            name: string;
            /** @enum {string} */
            type: "in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle" | "custom";
            active: boolean;
            shouldStopOnFail: boolean;
            filters: components["schemas"]["StepFilter"][];
            when?: {
                stepId: string;
                /** @enum {string} */
                is: "seen" | "unseen" | "read" | "unread" | "sent" | "failed";
            };
            variants: components["schemas"]["StepVariant"][];
            replyCallback?: {
                active?: boolean;
                url?: string;
            };
            controlValues: {
                [key: string]: unknown;
            };
            controls: {
                values: {
                    [key: string]: unknown;
                };
            };
            /** @description What is not sent as it stands there, by field. Nothing is held back. */
            issues?: {
                controls: {
                    [key: string]: {
                        /** @enum {string} */
                        issueType: "ILLEGAL_VARIABLE_IN_CONTROL_VALUE" | "MISSING_VALUE";
                        message: string;
                        /** @constant */
                        severity: "warning";
                        variableName?: string;
                    }[];
                };
            };
            variables: {
                [key: string]: unknown;
            };
            origin: string;
            workflowId: string;
            workflowDatabaseId: string;
        };
        /** Workflow */
        Workflow: {
            _id: string;
            workflowId: string;
            slug: string;
            name: string;
            tags: string[];
            active: boolean;
            /** @enum {string} */
            status: "ACTIVE" | "INACTIVE";
            /** @description Counts the changes of the definition. */
            version: number;
            origin: string;
            isTranslationEnabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            description: string;
            /** @enum {string} */
            severity: "high" | "medium" | "low" | "none";
            critical: boolean;
            validatePayload: boolean;
            payloadSchema: {
                [key: string]: unknown;
            } | null;
            ttl?: {
                amount: number;
                /** @enum {string} */
                unit: "seconds" | "minutes" | "hours" | "days" | "weeks" | "months";
            };
            preferences: {
                user: {
                    all: {
                        enabled: boolean;
                        readOnly: boolean;
                    };
                    channels: {
                        in_app: {
                            enabled: boolean;
                        };
                        email: {
                            enabled: boolean;
                        };
                        sms: {
                            enabled: boolean;
                        };
                        chat: {
                            enabled: boolean;
                        };
                        push: {
                            enabled: boolean;
                        };
                    };
                } | null;
                default: {
                    all: {
                        enabled: boolean;
                        readOnly: boolean;
                    };
                    channels: {
                        in_app: {
                            enabled: boolean;
                        };
                        email: {
                            enabled: boolean;
                        };
                        sms: {
                            enabled: boolean;
                        };
                        chat: {
                            enabled: boolean;
                        };
                        push: {
                            enabled: boolean;
                        };
                    };
                };
            };
            steps: components["schemas"]["WorkflowStep"][];
            /** @description By language: how many keys its templates ask for that are not translated. */
            missingTranslations?: {
                [key: string]: number;
            };
        };
        /** WorkflowSummary */
        WorkflowSummary: {
            _id: string;
            workflowId: string;
            slug: string;
            name: string;
            tags: string[];
            active: boolean;
            /** @enum {string} */
            status: "ACTIVE" | "INACTIVE";
            /** @description Counts the changes of the definition. */
            version: number;
            origin: string;
            isTranslationEnabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            stepTypeOverviews: ("in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle" | "custom")[];
            steps: {
                slug: string;
                /** @enum {string} */
                type: "in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle" | "custom";
            }[];
        };
        /** StepPreview */
        StepPreview: {
            result: {
                /** @enum {string} */
                type: "in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle" | "custom";
                /** @description What the person would see; for steps that wait: `until` when. */
                preview: {
                    [key: string]: unknown;
                };
                errors: {
                    /** @description The path in controlValues. */
                    field: string;
                    message: string;
                }[];
                /** @description What is not sent as it stands there, and translations that are missing. */
                warnings?: {
                    /** @description The path in controlValues. */
                    field: string;
                    message: string;
                }[];
                error?: {
                    title: string;
                    message: string;
                    hint: string;
                };
            };
            /** @description False: the step would be skipped for this person and payload. */
            applies: boolean;
            why?: string;
            /** @description The variant that applies. */
            variant?: string;
            /** @description What it was rendered with. */
            previewPayloadExample: {
                [key: string]: unknown;
            };
            schema: {
                [key: string]: unknown;
            } | null;
        };
        /** WorkflowVersion */
        WorkflowVersion: {
            version: number;
            current: boolean;
            /** Format: date-time */
            createdAt?: string;
            /** @description The person or API key, also a key that somebody signed in with; else where it was saved. */
            createdBy?: {
                id: string;
                name: string;
                /** @enum {string} */
                type?: "person" | "key" | "link" | "command" | "service";
            };
            /** @description It came by publishing. */
            publication?: {
                _id: string;
                /** @description As the source was called then. */
                sourceName?: string;
                /** @description An earlier state was put back. */
                restored?: boolean;
            };
            workflow: components["schemas"]["Workflow"];
        };
        /** Session */
        Session: {
            environment: {
                id: string;
                name: string;
                /** @description Part of its address: /env/<slug>/workflows. */
                slug: string;
                color: string;
                /** @enum {string} */
                type: "dev" | "prod";
                protected: boolean;
            };
            /** @description Those one can go to from here, this one too. */
            environments: {
                id: string;
                name: string;
                /** @description Part of its address: /env/<slug>/workflows. */
                slug: string;
                color: string;
                /** @enum {string} */
                type: "dev" | "prod";
                protected: boolean;
                /** @description Whether one may publish to it, and put it back. */
                mayPublish: boolean;
            }[];
            organization: {
                id: string;
                name?: string;
            };
            /** @enum {string} */
            reach: "environment" | "organization";
            /** @description What one may do here. */
            permissions: ("read" | "trigger" | "content" | "switch" | "operate" | "cancel" | "subscribers" | "inbox" | "credentials" | "keys" | "settings" | "publish" | "record" | "organizationRecord" | "environments" | "members" | "signIn" | "owners")[];
            /** @enum {string} */
            signedInBy: "key" | "link" | "person";
            person?: {
                id: string;
                email: string;
                name: string;
                hasPassword: boolean;
                /** @description Signs in with a second proof besides the password. */
                twoFactor: boolean;
            };
            /**
             * @description What the person is in this environment.
             * @enum {string}
             */
            role?: "owner" | "admin" | "author" | "operator" | "viewer";
            /**
             * @description The organization asks for it: until it is there, one has no permission here.
             * @enum {string}
             */
            mustSetUp?: "two-factor";
            keyId?: string;
            /** Format: date-time */
            expiresAt: string;
        };
        /** Account */
        Account: {
            personId: string;
            email: string;
            name: string;
            hasPassword: boolean;
            /** @description Signs in with a second proof besides the password. */
            twoFactor: boolean;
            recoveryCodesLeft: number;
            /** @description The one used last comes first. */
            organizations: {
                id: string;
                name: string;
                /**
                 * @description Null: only something in some of its environments.
                 * @enum {string|null}
                 */
                role: "owner" | "admin" | "author" | "operator" | "viewer" | null;
                /** @description This session is in it. */
                current: boolean;
            }[];
        };
        /** OwnSession */
        OwnSession: {
            id: string;
            /** @description The one of this request. */
            current: boolean;
            organization: {
                id: string;
                name: string;
            };
            /**
             * Format: date-time
             * @description To the minute.
             */
            lastSeenAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description Where it was opened. */
            address?: string;
            /** @description The browser, as it calls itself. */
            agent?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Error = components['schemas']['Error'];
export type ApiKey = components['schemas']['ApiKey'];
export type BridgeSync = components['schemas']['BridgeSync'];
export type Bridge = components['schemas']['Bridge'];
export type BridgeValidation = components['schemas']['BridgeValidation'];
export type ChangeActor = components['schemas']['ChangeActor'];
export type ChangeRecord = components['schemas']['ChangeRecord'];
export type ChannelConnection = components['schemas']['ChannelConnection'];
export type slack_channel = components['schemas']['slack_channel'];
export type slack_user = components['schemas']['slack_user'];
export type webhook = components['schemas']['webhook'];
export type phone = components['schemas']['phone'];
export type ms_teams_channel = components['schemas']['ms_teams_channel'];
export type ms_teams_user = components['schemas']['ms_teams_user'];
export type telegram_chat = components['schemas']['telegram_chat'];
export type google_chat_space = components['schemas']['google_chat_space'];
export type ntfy_topic = components['schemas']['ntfy_topic'];
export type web_push = components['schemas']['web_push'];
export type ChannelEndpoint = components['schemas']['ChannelEndpoint'];
export type Hunk = components['schemas']['Hunk'];
export type ResourceChange = components['schemas']['ResourceChange'];
export type AppliedContent = components['schemas']['AppliedContent'];
export type Content = components['schemas']['Content'];
export type ChannelCredentials = components['schemas']['ChannelCredentials'];
export type ChannelSettings = components['schemas']['ChannelSettings'];
export type Subscriber = components['schemas']['Subscriber'];
export type StepFilter = components['schemas']['StepFilter'];
export type NotificationStepVariant = components['schemas']['NotificationStepVariant'];
export type NotificationStep = components['schemas']['NotificationStep'];
export type NotificationTrigger = components['schemas']['NotificationTrigger'];
export type EmbeddedWorkflow = components['schemas']['EmbeddedWorkflow'];
export type EmailBlock = components['schemas']['EmailBlock'];
export type MessageCTA = components['schemas']['MessageCTA'];
export type DeadLetter = components['schemas']['DeadLetter'];
export type DevMail = components['schemas']['DevMail'];
export type Environment = components['schemas']['Environment'];
export type LargeSends = components['schemas']['LargeSends'];
export type EnvironmentVariable = components['schemas']['EnvironmentVariable'];
export type ListedEnvironment = components['schemas']['ListedEnvironment'];
export type SubscriberRecipient = components['schemas']['SubscriberRecipient'];
export type TopicRecipient = components['schemas']['TopicRecipient'];
export type TriggerResult = components['schemas']['TriggerResult'];
export type Explanation = components['schemas']['Explanation'];
export type TriggerEvent = components['schemas']['TriggerEvent'];
export type ImportedSubscribers = components['schemas']['ImportedSubscribers'];
export type ImportedTopics = components['schemas']['ImportedTopics'];
export type InboxNotification = components['schemas']['InboxNotification'];
export type OwnChannelConnection = components['schemas']['OwnChannelConnection'];
export type OwnChannelEndpoint = components['schemas']['OwnChannelEndpoint'];
export type InboxPreference = components['schemas']['InboxPreference'];
export type InboxSession = components['schemas']['InboxSession'];
export type SubscriptionPreference = components['schemas']['SubscriptionPreference'];
export type Subscription = components['schemas']['Subscription'];
export type Credentials = components['schemas']['Credentials'];
export type Configurations = components['schemas']['Configurations'];
export type IntegrationCheck = components['schemas']['IntegrationCheck'];
export type Integration = components['schemas']['Integration'];
export type Callbacks = components['schemas']['Callbacks'];
export type IntegrationTest = components['schemas']['IntegrationTest'];
export type Invitation = components['schemas']['Invitation'];
export type NewInvitation = components['schemas']['NewInvitation'];
export type Member = components['schemas']['Member'];
export type WhoActs = components['schemas']['WhoActs'];
export type Message = components['schemas']['Message'];
export type JobDigest = components['schemas']['JobDigest'];
export type ExecutionDetail = components['schemas']['ExecutionDetail'];
export type Job = components['schemas']['Job'];
export type Activity = components['schemas']['Activity'];
export type Attempt = components['schemas']['Attempt'];
export type SentMessage = components['schemas']['SentMessage'];
export type Trouble = components['schemas']['Trouble'];
export type NumbersNow = components['schemas']['NumbersNow'];
export type NumbersSeries = components['schemas']['NumbersSeries'];
export type Numbers = components['schemas']['Numbers'];
export type Organization = components['schemas']['Organization'];
export type OrganizationName = components['schemas']['OrganizationName'];
export type CallbackSetup = components['schemas']['CallbackSetup'];
export type CredentialField = components['schemas']['CredentialField'];
export type Provider = components['schemas']['Provider'];
export type ResourceDiff = components['schemas']['ResourceDiff'];
export type PublicationDetail = components['schemas']['PublicationDetail'];
export type Publication = components['schemas']['Publication'];
export type PublishedEnvironment = components['schemas']['PublishedEnvironment'];
export type Send = components['schemas']['Send'];
export type CheckedSignInConnection = components['schemas']['CheckedSignInConnection'];
export type SignInConnection = components['schemas']['SignInConnection'];
export type FeedItem = components['schemas']['FeedItem'];
export type Suppression = components['schemas']['Suppression'];
export type Tenant = components['schemas']['Tenant'];
export type WebhookEndpointWithSecret = components['schemas']['WebhookEndpointWithSecret'];
export type WebhookTry = components['schemas']['WebhookTry'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type Context = components['schemas']['Context'];
export type EnvironmentDiff = components['schemas']['EnvironmentDiff'];
export type Layout = components['schemas']['Layout'];
export type LayoutPreview = components['schemas']['LayoutPreview'];
export type Topic = components['schemas']['Topic'];
export type SubscriberSummary = components['schemas']['SubscriberSummary'];
export type TopicSubscription = components['schemas']['TopicSubscription'];
export type ExportedPreferences = components['schemas']['ExportedPreferences'];
export type ChangedPreference = components['schemas']['ChangedPreference'];
export type SubscriberWorkflowPreference = components['schemas']['SubscriberWorkflowPreference'];
export type SubscriberPreferences = components['schemas']['SubscriberPreferences'];
export type TopicMember = components['schemas']['TopicMember'];
export type ChangedTopicSubscription = components['schemas']['ChangedTopicSubscription'];
export type Translation = components['schemas']['Translation'];
export type TranslationGroup = components['schemas']['TranslationGroup'];
export type MissingTranslations = components['schemas']['MissingTranslations'];
export type MasterTranslations = components['schemas']['MasterTranslations'];
export type ImportedTranslations = components['schemas']['ImportedTranslations'];
export type UploadedTranslations = components['schemas']['UploadedTranslations'];
export type StepVariant = components['schemas']['StepVariant'];
export type WorkflowStep = components['schemas']['WorkflowStep'];
export type Workflow = components['schemas']['Workflow'];
export type WorkflowSummary = components['schemas']['WorkflowSummary'];
export type StepPreview = components['schemas']['StepPreview'];
export type WorkflowVersion = components['schemas']['WorkflowVersion'];
export type Session = components['schemas']['Session'];
export type Account = components['schemas']['Account'];
export type OwnSession = components['schemas']['OwnSession'];
export type $defs = Record<string, never>;
export interface operations {
    "activity-stream": {
        parameters: {
            query?: never;
            header?: {
                /** @description The last event heard: a change missed since then is told at once. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "api-keys-list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "api-keys-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: identifier */
                    name: string;
                    /**
                     * @description What it may do: everything, unless something else is said.
                     * @enum {string}
                     */
                    scope?: "everything" | "trigger" | "read" | "inbox";
                    /**
                     * @description Its environment, or all of its organization.
                     * @enum {string}
                     */
                    reach?: "environment" | "organization";
                    /** @description From then on it opens nothing; ISO 8601. */
                    expiresAt?: string;
                    note?: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** @enum {string} */
                        scope: "everything" | "trigger" | "read" | "inbox";
                        /** Format: date-time */
                        createdAt: string;
                        /** @description Keep it: only its hash is stored. */
                        key: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "api-keys-revoke": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "bridge-diff": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description http or https; private addresses are refused. Mostly ends with /api/novu. */
                    bridgeUrl: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BridgeSync"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "bridge-get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bridge"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "bridge-sync": {
        parameters: {
            query?: {
                source?: string;
            };
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description http or https; private addresses are refused. Mostly ends with /api/novu. */
                    bridgeUrl: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BridgeSync"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "bridge-validate": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description http or https; private addresses are refused. Mostly ends with /api/novu. */
                    bridgeUrl: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BridgeValidation"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "changes-actors": {
        parameters: {
            query?: {
                /** @description Of this environment (the default), or of all of them and the organization itself. */
                of?: "environment" | "organization";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChangeActor"][];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "changes-export": {
        parameters: {
            query?: {
                /** @description Of this environment (the default), or of all of them and the organization itself. */
                of?: "environment" | "organization";
                /** @description Of this person, key, or command. */
                actorId?: string;
                /** @description As in workflows.update, or workflows for all that was done to them. */
                action?: string;
                /** @description As in workflow. */
                subjectType?: string;
                /** @description As in the _id of a workflow. */
                subjectId?: string;
                /** @description Of this time and later, as ISO 8601. */
                since?: string;
                /** @description And before this time. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "changes-list": {
        parameters: {
            query?: {
                /** @description Fetch what follows this cursor. */
                after?: string;
                /** @description Fetch what precedes this cursor. */
                before?: string;
                limit?: number;
                orderDirection?: "ASC" | "DESC";
                orderBy?: "_id" | "createdAt";
                /** @description Include the item the cursor stands on. */
                includeCursor?: boolean;
                /** @description Of this environment (the default), or of all of them and the organization itself. */
                of?: "environment" | "organization";
                /** @description Of this person, key, or command. */
                actorId?: string;
                /** @description As in workflows.update, or workflows for all that was done to them. */
                action?: string;
                /** @description As in workflow. */
                subjectType?: string;
                /** @description As in the _id of a workflow. */
                subjectId?: string;
                /** @description Of this time and later, as ISO 8601. */
                since?: string;
                /** @description And before this time. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChangeRecord"][];
                        next: string | null;
                        previous: string | null;
                        totalCount: number;
                        totalCountCapped: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "channel-connections-chat-oauth": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    integrationIdentifier: string;
                    /** Format: identifier */
                    connectionIdentifier?: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    /** @description Not needed with an API key. */
                    contextHash?: string;
                    /** Format: identifier */
                    subscriberId?: string;
                    scope?: string[];
                    /** @enum {string} */
                    connectionMode?: "subscriber" | "shared";
                    /** @description Also reach the subscriber at the vendor. */
                    autoLinkUser?: boolean;
                    userScope?: string[];
                    /** @enum {string} */
                    mode?: "connect" | "link_user";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        url: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "channel-connections-list": {
        parameters: {
            query?: {
                /** @description Fetch what follows this cursor. */
                after?: string;
                /** @description Fetch what precedes this cursor. */
                before?: string;
                limit?: number;
                orderDirection?: "ASC" | "DESC";
                orderBy?: "_id" | "createdAt" | "updatedAt";
                /** @description Include the item the cursor stands on. */
                includeCursor?: boolean;
                subscriberId?: string;
                integrationIdentifier?: string;
                channel?: string;
                providerId?: string;
                connectionMode?: "subscriber" | "shared";
                /** @description Exactly these, each as `type:id`. */
                contextKeys?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChannelConnection"][];
                        next: string | null;
                        previous: string | null;
                        totalCount: number;
                        totalCountCapped: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "channel-connections-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: identifier */
                    identifier?: string;
                    /** Format: identifier */
                    subscriberId?: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    /** @enum {string} */
                    connectionMode?: "subscriber" | "shared";
                    integrationIdentifier: string;
                    workspace: {
                        /** Format: identifier */
                        id: string;
                        /** Format: identifier */
                        name?: string;
                        /** Format: identifier */
                        botUserId?: string;
                    };
                    auth?: {
                        /** Format: identifier */
                        accessToken: string;
                        /** Format: identifier */
                        refreshToken?: string;
                        /** Format: date-time */
                        expiresAt?: string;
                        /** @description Not needed: the vendor says so when it has. */
                        refreshTokenExpiresAt?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelConnection"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "channel-connections-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelConnection"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "channel-connections-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "channel-connections-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    workspace: {
                        /** Format: identifier */
                        id: string;
                        /** Format: identifier */
                        name?: string;
                        /** Format: identifier */
                        botUserId?: string;
                    };
                    auth?: {
                        /** Format: identifier */
                        accessToken: string;
                        /** Format: identifier */
                        refreshToken?: string;
                        /** Format: date-time */
                        expiresAt?: string;
                        /** @description Not needed: the vendor says so when it has. */
                        refreshTokenExpiresAt?: string;
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelConnection"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "channel-connections-link-oauth": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    integrationIdentifier: string;
                    /** Format: identifier */
                    connectionIdentifier?: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    /** @description Not needed with an API key. */
                    contextHash?: string;
                    /** Format: identifier */
                    subscriberId: string;
                    userScope?: string[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        url: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "channel-connections-oauth": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    integrationIdentifier: string;
                    /** Format: identifier */
                    connectionIdentifier?: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    /** @description Not needed with an API key. */
                    contextHash?: string;
                    /** Format: identifier */
                    subscriberId?: string;
                    scope?: string[];
                    /** @enum {string} */
                    connectionMode?: "subscriber" | "shared";
                    /** @description Also reach the subscriber at the vendor. */
                    autoLinkUser?: boolean;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        url: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "channel-connections-oauth-callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "channel-endpoints-list": {
        parameters: {
            query?: {
                /** @description Fetch what follows this cursor. */
                after?: string;
                /** @description Fetch what precedes this cursor. */
                before?: string;
                limit?: number;
                orderDirection?: "ASC" | "DESC";
                orderBy?: "_id" | "createdAt" | "updatedAt";
                /** @description Include the item the cursor stands on. */
                includeCursor?: boolean;
                subscriberId?: string;
                integrationIdentifier?: string;
                connectionIdentifier?: string;
                channel?: string;
                providerId?: string;
                /** @description Exactly these, each as `type:id`. */
                contextKeys?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ChannelEndpoint"][];
                        next: string | null;
                        previous: string | null;
                        totalCount: number;
                        totalCountCapped: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "channel-endpoints-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: identifier */
                    identifier?: string;
                    /** Format: identifier */
                    subscriberId: string;
                    createSubscriberIfMissing?: boolean;
                    context?: {
                        [key: string]: unknown;
                    };
                    integrationIdentifier: string;
                    connectionIdentifier?: string;
                    /** @enum {string} */
                    type: "slack_channel" | "slack_user" | "webhook" | "phone" | "ms_teams_channel" | "ms_teams_user" | "telegram_chat" | "google_chat_space" | "ntfy_topic" | "web_push";
                    endpoint: components["schemas"]["slack_channel"] | components["schemas"]["slack_user"] | components["schemas"]["webhook"] | components["schemas"]["phone"] | components["schemas"]["ms_teams_channel"] | components["schemas"]["ms_teams_user"] | components["schemas"]["telegram_chat"] | components["schemas"]["google_chat_space"] | components["schemas"]["ntfy_topic"] | components["schemas"]["web_push"];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelEndpoint"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "channel-endpoints-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelEndpoint"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "channel-endpoints-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "channel-endpoints-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    endpoint: components["schemas"]["slack_channel"] | components["schemas"]["slack_user"] | components["schemas"]["webhook"] | components["schemas"]["phone"] | components["schemas"]["ms_teams_channel"] | components["schemas"]["ms_teams_user"] | components["schemas"]["telegram_chat"] | components["schemas"]["google_chat_space"] | components["schemas"]["ntfy_topic"] | components["schemas"]["web_push"];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelEndpoint"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "channel-endpoints-link": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    integrationIdentifier: string;
                    /** Format: identifier */
                    subscriberId: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    /** @description Not needed with an API key. */
                    contextHash?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        url: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "content-get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Content"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "content-apply": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Only says what would be changed. */
                    dryRun?: boolean;
                    /** @description As GET gives them: bodies of POST /v2/workflows, /v2/layouts and /v2/translations. */
                    resources: {
                        [key: string]: unknown;
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppliedContent"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "dead-letters-list": {
        parameters: {
            query?: {
                channel?: "in_app" | "email" | "sms" | "chat" | "push";
                integrationId?: string;
                page?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeadLetter"][];
                        hasMore: boolean;
                        pageSize: number;
                        page: number;
                        totalCount?: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "dead-letters-redrive": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    messageIds?: string[];
                    all?: boolean;
                    /** @enum {string} */
                    channel?: "in_app" | "email" | "sms" | "chat" | "push";
                    integrationId?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        redriven: number;
                        /** @description With `all`: more are left than one call takes; call again. */
                        hasMore: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "dev-mailbox": {
        parameters: {
            query?: {
                /** @description The whole address or number. */
                to?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DevMail"][];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environment-get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Environment"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environment-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As in en_US. */
                    defaultLocale: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Environment"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environment-large-sends-get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LargeSends"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environment-large-sends-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Sends to at least so many people begin with a few of them; null: none does. */
                    canaryFrom?: number | null;
                    canaryPercent?: number;
                    canaryAtLeast?: number;
                    /**
                     * @description Who lets it go on after the first people.
                     * @enum {string}
                     */
                    goesOn?: "person" | "time";
                    goesOnAfterSeconds?: number;
                    /** @description Sends to at least so many people are stopped when too much fails; null: only those that begin small. */
                    guardFrom?: number | null;
                    failuresPercent?: number;
                    complaintsPercent?: number;
                    /** @description Slow the environment down when it jumps far beyond its own past. */
                    slowOnJumps?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LargeSends"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environment-signing-secret": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            signingSecret: string;
                        };
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environment-variables-list": {
        parameters: {
            query?: {
                /** @description A part of the key, in any case. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentVariable"][];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environment-variables-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As templates say it: {{env.KEY}}. Letters, digits and underscores. */
                    key: string;
                    /** @enum {string} */
                    type?: "string";
                    /** @description It is masked in replies, for ever. */
                    isSecret?: boolean;
                    /** @description One for each environment; those that are not named keep theirs. */
                    values?: {
                        _environmentId: string;
                        value: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentVariable"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environment-variables-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                variableKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentVariable"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environment-variables-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                variableKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environment-variables-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                variableKey: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As templates say it: {{env.KEY}}. Letters, digits and underscores. */
                    key?: string;
                    /** @enum {string} */
                    type?: "string";
                    /** @description It is masked in replies, for ever. */
                    isSecret?: boolean;
                    /** @description One for each environment; those that are not named keep theirs. */
                    values?: {
                        _environmentId: string;
                        value: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentVariable"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environment-variables-usage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                variableKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workflows: {
                            name: string;
                            workflowId: string;
                        }[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environments-list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedEnvironment"][];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environments-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: identifier */
                    name: string;
                    /** @description As in #2563eb. */
                    color: string;
                    /** @description What is published to it comes from there. */
                    parentId?: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedEnvironment"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environments-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: identifier */
                    name?: string;
                    /** @description As in #2563eb. */
                    color?: string;
                    parentId?: string;
                    protected?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedEnvironment"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environments-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedEnvironment"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environments-me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedEnvironment"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environments-restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedEnvironment"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "events-cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        acknowledged: boolean;
                        /** @description Jobs stopped: steps that waited, and one more when not all recipients had been reached yet. */
                        canceled: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "events-explain": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    payload?: {
                        [key: string]: unknown;
                    } | null;
                    overrides?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description A subscriberId, a subscriber (created or updated by this), a topic, or a list of these. */
                    to?: string | components["schemas"]["SubscriberRecipient"] | components["schemas"]["TopicRecipient"] | (string | components["schemas"]["SubscriberRecipient"] | components["schemas"]["TopicRecipient"])[];
                    /** Format: identifier */
                    transactionId?: string | null;
                    actor?: string | components["schemas"]["SubscriberRecipient"];
                    tenant?: (string | null) | {
                        identifier: string;
                    };
                    /** @description The contexts, by type. Each value is an id, or an object with an `id`. */
                    context?: {
                        [key: string]: string | {
                            id: string;
                            data?: {
                                [key: string]: unknown;
                            };
                        };
                    } | null;
                    /** @description Refused, unless it is the bridge of the environment (`/v1/bridge/sync`). */
                    bridgeUrl?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "events-trigger": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    payload?: {
                        [key: string]: unknown;
                    } | null;
                    overrides?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description A subscriberId, a subscriber (created or updated by this), a topic, or a list of these. */
                    to?: string | components["schemas"]["SubscriberRecipient"] | components["schemas"]["TopicRecipient"] | (string | components["schemas"]["SubscriberRecipient"] | components["schemas"]["TopicRecipient"])[];
                    /** Format: identifier */
                    transactionId?: string | null;
                    actor?: string | components["schemas"]["SubscriberRecipient"];
                    tenant?: (string | null) | {
                        identifier: string;
                    };
                    /** @description The contexts, by type. Each value is an id, or an object with an `id`. */
                    context?: {
                        [key: string]: string | {
                            id: string;
                            data?: {
                                [key: string]: unknown;
                            };
                        };
                    } | null;
                    /** @description Refused, unless it is the bridge of the environment (`/v1/bridge/sync`). */
                    bridgeUrl?: string | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerResult"];
                };
            };
            /** @description Refused */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & components["schemas"]["TriggerResult"];
                };
            };
            /** @description Refused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & components["schemas"]["TriggerResult"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "events-trigger-broadcast": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    payload?: {
                        [key: string]: unknown;
                    } | null;
                    overrides?: {
                        [key: string]: unknown;
                    } | null;
                    /** Format: identifier */
                    transactionId?: string | null;
                    actor?: string | components["schemas"]["SubscriberRecipient"];
                    tenant?: (string | null) | {
                        identifier: string;
                    };
                    /** @description The contexts, by type. Each value is an id, or an object with an `id`. */
                    context?: {
                        [key: string]: string | {
                            id: string;
                            data?: {
                                [key: string]: unknown;
                            };
                        };
                    } | null;
                    /** @description Refused, unless it is the bridge of the environment (`/v1/bridge/sync`). */
                    bridgeUrl?: string | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerResult"];
                };
            };
            /** @description Refused */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & components["schemas"]["TriggerResult"];
                };
            };
            /** @description Refused */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & components["schemas"]["TriggerResult"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "events-trigger-bulk": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    events: components["schemas"]["TriggerEvent"][];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerResult"][];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "import-subscribers": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Only says what would be changed. */
                    dryRun?: boolean;
                    subscribers: {
                        /** Format: identifier */
                        subscriberId: string;
                        firstName?: string | null;
                        lastName?: string | null;
                        /** Format: email */
                        email?: string | null;
                        phone?: string | null;
                        avatar?: string | null;
                        /** Format: timezone */
                        timezone?: string | null;
                        /** Format: locale */
                        locale?: string | null;
                        data?: {
                            [key: string]: unknown;
                        } | null;
                        schedule?: {
                            isEnabled: boolean;
                            weeklySchedule?: {
                                monday?: {
                                    isEnabled: boolean;
                                    hours?: {
                                        start: string;
                                        end: string;
                                    }[];
                                };
                                tuesday?: {
                                    isEnabled: boolean;
                                    hours?: {
                                        start: string;
                                        end: string;
                                    }[];
                                };
                                wednesday?: {
                                    isEnabled: boolean;
                                    hours?: {
                                        start: string;
                                        end: string;
                                    }[];
                                };
                                thursday?: {
                                    isEnabled: boolean;
                                    hours?: {
                                        start: string;
                                        end: string;
                                    }[];
                                };
                                friday?: {
                                    isEnabled: boolean;
                                    hours?: {
                                        start: string;
                                        end: string;
                                    }[];
                                };
                                saturday?: {
                                    isEnabled: boolean;
                                    hours?: {
                                        start: string;
                                        end: string;
                                    }[];
                                };
                                sunday?: {
                                    isEnabled: boolean;
                                    hours?: {
                                        start: string;
                                        end: string;
                                    }[];
                                };
                            };
                        };
                        channels?: {
                            providerId: string;
                            integrationIdentifier?: string;
                            credentials: components["schemas"]["ChannelCredentials"];
                        }[];
                        preferences?: {
                            /** @description Of a workflow: workflowId, _id or slug. */
                            workflowId?: string;
                            enabled?: boolean | null;
                            channels?: {
                                in_app?: boolean | null;
                                email?: boolean | null;
                                sms?: boolean | null;
                                chat?: boolean | null;
                                push?: boolean | null;
                            };
                        }[];
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedSubscribers"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "import-topics": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Only says what would be changed. */
                    dryRun?: boolean;
                    topics: {
                        /** Format: topic-key */
                        key: string;
                        name?: string;
                        members?: {
                            subscriberId: string;
                            identifier?: string;
                            name?: string | null;
                            contextKeys?: string[];
                            preferences?: {
                                workflowId: string;
                                enabled: boolean;
                                /** @description JSON Logic. */
                                condition?: unknown;
                            }[];
                        }[];
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedTopics"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-archive": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxNotification"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-archive-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
                    tags?: string[] | {
                        or?: string[];
                        and?: {
                            or: string[];
                        }[];
                    };
                    /** @description A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
                    data?: string;
                    contextKeys?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-archive-all-read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
                    tags?: string[] | {
                        or?: string[];
                        and?: {
                            or: string[];
                        }[];
                    };
                    /** @description A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
                    data?: string;
                    contextKeys?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-archive-all-read-old": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
                    tags?: string[] | {
                        or?: string[];
                        and?: {
                            or: string[];
                        }[];
                    };
                    /** @description A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
                    data?: string;
                    contextKeys?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-channel-connections-get": {
        parameters: {
            query?: {
                connectionMode?: "subscriber" | "shared";
            };
            header?: never;
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        identifier: string;
                        /**
                         * @description `subscriber`: your own, which you may delete.
                         * @enum {string}
                         */
                        connectionMode: "subscriber" | "shared";
                        channel: string;
                        providerId: string;
                        integrationIdentifier: string;
                        workspace: {
                            id: string;
                            name?: string;
                            botUserId?: string;
                        };
                        /** Format: date-time */
                        createdAt?: string;
                        data: components["schemas"]["OwnChannelConnection"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-channel-connections-delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-channel-connections-list": {
        parameters: {
            query?: {
                /** @description Fetch what follows this cursor. */
                after?: string;
                /** @description Fetch what precedes this cursor. */
                before?: string;
                limit?: number;
                /** @description Not needed; nobody else may be named. */
                subscriberId?: string;
                integrationIdentifier?: string;
                channel?: string;
                providerId?: string;
                connectionMode?: "subscriber" | "shared";
                /** @description Exactly these, each as `type:id`. */
                contextKeys?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OwnChannelConnection"][];
                        next: string | null;
                        previous: string | null;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-channel-connections-oauth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    integrationIdentifier: string;
                    /** Format: identifier */
                    connectionIdentifier?: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    /** @description Not needed with an API key. */
                    contextHash?: string;
                    /** Format: identifier */
                    subscriberId?: string;
                    scope?: string[];
                    /** @enum {string} */
                    connectionMode?: "subscriber" | "shared";
                    /** @description Also reach the subscriber at the vendor. */
                    autoLinkUser?: boolean;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            url: string;
                        };
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-channel-endpoints-list": {
        parameters: {
            query?: {
                /** @description Fetch what follows this cursor. */
                after?: string;
                /** @description Fetch what precedes this cursor. */
                before?: string;
                limit?: number;
                /** @description Not needed; nobody else may be named. */
                subscriberId?: string;
                integrationIdentifier?: string;
                connectionIdentifier?: string;
                channel?: string;
                providerId?: string;
                /** @description Exactly these, each as `type:id`. */
                contextKeys?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OwnChannelEndpoint"][];
                        next: string | null;
                        previous: string | null;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-channel-endpoints-create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    integrationIdentifier: string;
                    /** Format: identifier */
                    subscriberId?: string;
                    /** @enum {string} */
                    type: "web_push";
                    endpoint: components["schemas"]["slack_channel"] | components["schemas"]["slack_user"] | components["schemas"]["webhook"] | components["schemas"]["phone"] | components["schemas"]["ms_teams_channel"] | components["schemas"]["ms_teams_user"] | components["schemas"]["telegram_chat"] | components["schemas"]["google_chat_space"] | components["schemas"]["ntfy_topic"] | components["schemas"]["web_push"];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            identifier: string;
                            type: string;
                        };
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-channel-endpoints-delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-channel-endpoints-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    integrationIdentifier: string;
                    /** Format: identifier */
                    subscriberId?: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    contextHash?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            url: string;
                        };
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-channel-endpoints-oauth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    integrationIdentifier: string;
                    /** Format: identifier */
                    connectionIdentifier?: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    /** @description Not needed with an API key. */
                    contextHash?: string;
                    /** Format: identifier */
                    subscriberId?: string;
                    userScope?: string[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            url: string;
                        };
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-chat-oauth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    integrationIdentifier: string;
                    /** Format: identifier */
                    connectionIdentifier?: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    /** @description Not needed with an API key. */
                    contextHash?: string;
                    /** Format: identifier */
                    subscriberId?: string;
                    scope?: string[];
                    /** @enum {string} */
                    connectionMode?: "subscriber" | "shared";
                    /** @description Also reach the subscriber at the vendor. */
                    autoLinkUser?: boolean;
                    userScope?: string[];
                    /** @enum {string} */
                    mode?: "connect" | "link_user";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            url: string;
                        };
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-complete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    actionType: "primary" | "secondary";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxNotification"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-delete-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
                    tags?: string[] | {
                        or?: string[];
                        and?: {
                            or: string[];
                        }[];
                    };
                    /** @description A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
                    data?: string;
                    contextKeys?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-mark-all-read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
                    tags?: string[] | {
                        or?: string[];
                        and?: {
                            or: string[];
                        }[];
                    };
                    /** @description A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
                    data?: string;
                    contextKeys?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-mark-read": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxNotification"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-mark-seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    notificationIds?: string[];
                    /** @description One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
                    tags?: string[] | {
                        or?: string[];
                        and?: {
                            or: string[];
                        }[];
                    };
                    /** @description A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
                    data?: string;
                    contextKeys?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-mark-unread": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxNotification"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-notifications-count": {
        parameters: {
            query: {
                /** @description A list of filters as JSON, such as [{"read":false},{"seen":false}]. */
                filters: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            count: number;
                            filter: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-notifications-list": {
        parameters: {
            query?: {
                limit?: number;
                /** @description The id of the last notification of the page before. */
                after?: string;
                offset?: number;
                read?: boolean;
                seen?: boolean;
                archived?: boolean;
                snoozed?: boolean;
                severity?: ("high" | "medium" | "low" | "none")[];
                /** @description Milliseconds. */
                createdGte?: number;
                /** @description Milliseconds. */
                createdLte?: number;
                tags?: string[];
                /** @description A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
                data?: string;
                /** @description One of each group: tags[0][]=a&tags[1][]=b. */
                tagGroups?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxNotification"][];
                        hasMore: boolean;
                        filter: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-preferences-bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    preferences: {
                        /** @description Of a workflow: workflowId, _id or slug. */
                        workflowId: string;
                        /** @description Changes what holds in this subscription to a topic, not the person's own. */
                        subscriptionIdentifier?: string;
                        /** @description JSON Logic over payload, subscriber, actor and context. Null takes it back. */
                        condition?: unknown;
                        enabled?: boolean | null;
                        in_app?: boolean | null;
                        email?: boolean | null;
                        sms?: boolean | null;
                        chat?: boolean | null;
                        push?: boolean | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxPreference"][];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-preferences-global": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxPreference"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-preferences-list": {
        parameters: {
            query?: {
                criticality?: "critical" | "nonCritical" | "all";
                tags?: string[];
                severity?: ("high" | "medium" | "low" | "none")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxPreference"][];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-preferences-update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    enabled?: boolean | null;
                    in_app?: boolean | null;
                    email?: boolean | null;
                    sms?: boolean | null;
                    chat?: boolean | null;
                    push?: boolean | null;
                    schedule?: {
                        isEnabled: boolean;
                        weeklySchedule?: {
                            monday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            tuesday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            wednesday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            thursday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            friday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            saturday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            sunday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                        };
                    } | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxPreference"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-preferences-workflow": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    enabled?: boolean | null;
                    in_app?: boolean | null;
                    email?: boolean | null;
                    sms?: boolean | null;
                    chat?: boolean | null;
                    push?: boolean | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxPreference"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-revert": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    actionType: "primary" | "secondary";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxNotification"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    applicationIdentifier: string;
                    /** @description The profile of the subscriber, or only its id. */
                    subscriber?: string | {
                        /** Format: identifier */
                        subscriberId: string;
                        firstName?: string | null;
                        lastName?: string | null;
                        /** Format: email */
                        email?: string | null;
                        phone?: string | null;
                        avatar?: string | null;
                        timezone?: unknown;
                        /** Format: locale */
                        locale?: string | null;
                        data?: {
                            [key: string]: unknown;
                        } | null;
                    };
                    /** Format: identifier */
                    subscriberId?: string;
                    subscriberHash?: string;
                    context?: {
                        [key: string]: unknown;
                    };
                    contextHash?: string;
                    defaultSchedule?: {
                        isEnabled: boolean;
                        weeklySchedule?: {
                            monday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            tuesday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            wednesday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            thursday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            friday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            saturday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            sunday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxSession"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-snooze": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: date-time */
                    snoozeUntil: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxNotification"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-subscriptions-list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                topicKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Subscription"][];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-subscriptions-create": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                topicKey: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Empty: the default one. */
                    identifier?: string;
                    topic?: {
                        name?: string;
                    };
                    name?: string | null;
                    preferences?: (string | {
                        /** @description Of a workflow: workflowId, _id or slug. */
                        workflowId?: string;
                        filter?: {
                            workflowIds?: string[];
                            tags?: string[];
                        };
                        enabled?: boolean;
                        /** @description JSON Logic over payload, subscriber, actor and context. Null takes it back. */
                        condition?: unknown;
                    })[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Subscription"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-subscriptions-get": {
        parameters: {
            query?: {
                /** @description Only these workflows, also if nothing was chosen for them. */
                workflowIds?: string[];
                /** @description Also every workflow with one of these tags. */
                tags?: string[];
            };
            header?: never;
            path: {
                topicKey: string;
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Subscription"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-subscriptions-delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                topicKey: string;
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            success: boolean;
                        };
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-subscriptions-update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                topicKey: string;
                identifier: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | null;
                    preferences?: (string | {
                        /** @description Of a workflow: workflowId, _id or slug. */
                        workflowId?: string;
                        filter?: {
                            workflowIds?: string[];
                            tags?: string[];
                        };
                        enabled?: boolean;
                        /** @description JSON Logic over payload, subscriber, actor and context. Null takes it back. */
                        condition?: unknown;
                    })[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Subscription"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-subscriptions-preference": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                identifier: string;
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    enabled?: boolean;
                    /** @description JSON Logic over payload, subscriber, actor and context. Null takes it back. */
                    condition?: unknown;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SubscriptionPreference"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-unarchive": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxNotification"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "inbox-unsnooze": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxNotification"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "integrations-active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"][];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "integrations-callbacks": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                integrationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Callbacks"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "integrations-list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"][];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "integrations-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: identifier */
                    providerId: string;
                    /** @enum {string} */
                    channel: "in_app" | "email" | "sms" | "chat" | "push";
                    /** Format: identifier */
                    name?: string;
                    /** Format: identifier */
                    identifier?: string;
                    /** Format: uuid */
                    _environmentId?: string;
                    active?: boolean;
                    check?: boolean;
                    credentials?: {
                        apiKey?: string | null;
                        user?: string | null;
                        secretKey?: string | null;
                        domain?: string | null;
                        password?: string | null;
                        host?: string | null;
                        port?: string | null;
                        region?: string | null;
                        accountSid?: string | null;
                        messageProfileId?: string | null;
                        token?: string | null;
                        from?: string | null;
                        senderName?: string | null;
                        projectName?: string | null;
                        applicationId?: string | null;
                        clientId?: string | null;
                        baseUrl?: string | null;
                        webhookUrl?: string | null;
                        redirectUrl?: string | null;
                        serviceAccount?: string | null;
                        ipPoolName?: string | null;
                        apiKeyRequestHeader?: string | null;
                        secretKeyRequestHeader?: string | null;
                        idPath?: string | null;
                        datePath?: string | null;
                        apiToken?: string | null;
                        authenticationTokenKey?: string | null;
                        instanceId?: string | null;
                        alertUid?: string | null;
                        title?: string | null;
                        imageUrl?: string | null;
                        state?: string | null;
                        externalLink?: string | null;
                        channelId?: string | null;
                        phoneNumberIdentification?: string | null;
                        accessKey?: string | null;
                        appSid?: string | null;
                        senderId?: string | null;
                        AppIOBaseUrl?: string | null;
                        secure?: boolean | null;
                        requireTls?: boolean | null;
                        ignoreTls?: boolean | null;
                        hmac?: boolean | null;
                        authenticateByToken?: boolean | null;
                        tlsOptions?: {
                            [key: string]: unknown;
                        } | null;
                    };
                    conditions?: {
                        isNegated?: boolean;
                        /** @enum {string} */
                        type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP";
                        /** @enum {string} */
                        value?: "AND" | "OR";
                        children?: {
                            field: string;
                            value: string;
                            /** @enum {string} */
                            operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN";
                            /** @enum {string} */
                            on: "subscriber" | "payload";
                        }[];
                    }[];
                    configurations?: {
                        inboundWebhookEnabled?: boolean | null;
                        inboundWebhookSigningKey?: string | null;
                        /**
                         * @description What to do when nobody can say whether a message went out: send it again, or leave it.
                         * @enum {string|null}
                         */
                        whenUnknown?: "atLeastOnce" | "atMostOnce" | null;
                    };
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "integrations-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                integrationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: identifier */
                    name?: string;
                    /** Format: identifier */
                    identifier?: string;
                    /** Format: uuid */
                    _environmentId?: string;
                    active?: boolean;
                    check?: boolean;
                    credentials?: {
                        apiKey?: string | null;
                        user?: string | null;
                        secretKey?: string | null;
                        domain?: string | null;
                        password?: string | null;
                        host?: string | null;
                        port?: string | null;
                        region?: string | null;
                        accountSid?: string | null;
                        messageProfileId?: string | null;
                        token?: string | null;
                        from?: string | null;
                        senderName?: string | null;
                        projectName?: string | null;
                        applicationId?: string | null;
                        clientId?: string | null;
                        baseUrl?: string | null;
                        webhookUrl?: string | null;
                        redirectUrl?: string | null;
                        serviceAccount?: string | null;
                        ipPoolName?: string | null;
                        apiKeyRequestHeader?: string | null;
                        secretKeyRequestHeader?: string | null;
                        idPath?: string | null;
                        datePath?: string | null;
                        apiToken?: string | null;
                        authenticationTokenKey?: string | null;
                        instanceId?: string | null;
                        alertUid?: string | null;
                        title?: string | null;
                        imageUrl?: string | null;
                        state?: string | null;
                        externalLink?: string | null;
                        channelId?: string | null;
                        phoneNumberIdentification?: string | null;
                        accessKey?: string | null;
                        appSid?: string | null;
                        senderId?: string | null;
                        AppIOBaseUrl?: string | null;
                        secure?: boolean | null;
                        requireTls?: boolean | null;
                        ignoreTls?: boolean | null;
                        hmac?: boolean | null;
                        authenticateByToken?: boolean | null;
                        tlsOptions?: {
                            [key: string]: unknown;
                        } | null;
                    };
                    conditions?: {
                        isNegated?: boolean;
                        /** @enum {string} */
                        type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP";
                        /** @enum {string} */
                        value?: "AND" | "OR";
                        children?: {
                            field: string;
                            value: string;
                            /** @enum {string} */
                            operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN";
                            /** @enum {string} */
                            on: "subscriber" | "payload";
                        }[];
                    }[];
                    configurations?: {
                        inboundWebhookEnabled?: boolean | null;
                        inboundWebhookSigningKey?: string | null;
                        /**
                         * @description What to do when nobody can say whether a message went out: send it again, or leave it.
                         * @enum {string|null}
                         */
                        whenUnknown?: "atLeastOnce" | "atMostOnce" | null;
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "integrations-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                integrationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"][];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "integrations-set-primary": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                integrationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Integration"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "integrations-test": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                integrationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An e-mail address, phone number, webhook URL, chat channel or device token, as the channel needs it. */
                    to?: string;
                    phone?: string;
                    webhookUrl?: string;
                    channel?: string;
                    deviceToken?: string;
                    /** @description A channel endpoint, instead of an address. */
                    endpointIdentifier?: string;
                    from?: string;
                    subject?: string;
                    content?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationTest"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "integrations-webhook-configure": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                integrationIdentifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhookUrl: string;
                        /** Format: date-time */
                        configuredAt: string;
                        botUsername: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "members-invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"][];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "members-invite": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    /**
                     * @description In the organization, and in each environment that is not named; null: only in those that are.
                     * @enum {string|null}
                     */
                    role: "owner" | "admin" | "author" | "operator" | "viewer" | null;
                    environments?: {
                        environmentId: string;
                        /**
                         * @description Null: nothing there.
                         * @enum {string|null}
                         */
                        role: "admin" | "author" | "operator" | "viewer" | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewInvitation"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "members-list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"][];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "members-me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhoActs"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "members-remove": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                personId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "members-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                personId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description In the organization, and in each environment that is not named; null: only in those that are.
                     * @enum {string|null}
                     */
                    role?: "owner" | "admin" | "author" | "operator" | "viewer" | null;
                    environments?: {
                        environmentId: string;
                        /**
                         * @description Null: nothing there.
                         * @enum {string|null}
                         */
                        role: "admin" | "author" | "operator" | "viewer" | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "members-renew-invitation": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewInvitation"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "members-revoke-invitation": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "messages-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        acknowledged: boolean;
                        status: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "messages-delete-by-transaction": {
        parameters: {
            query?: {
                channel?: "in_app" | "email" | "sms" | "chat" | "push";
            };
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "messages-list": {
        parameters: {
            query?: {
                channel?: "in_app" | "email" | "sms" | "chat" | "push";
                subscriberId?: string;
                transactionId?: string[];
                contextKeys?: string[];
                page?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Message"][];
                        hasMore: boolean;
                        pageSize: number;
                        page: number;
                        totalCount?: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "notifications-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Activity"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "notifications-list": {
        parameters: {
            query?: {
                channels?: string[];
                templates?: string[];
                emails?: string[];
                /** @deprecated */
                search?: string;
                subscriberIds?: string[];
                severity?: string[];
                page?: number;
                limit?: number;
                transactionId?: string;
                topicKey?: string;
                contextKeys?: string[];
                /** @description Only those of which a step ended so, or is waiting. Our own addition. */
                outcome?: "failed" | "skipped" | "canceled" | "merged" | "waiting";
                /** @description ISO time, inclusive. Default: as far back as history is kept. */
                after?: string;
                /** @description ISO time, inclusive. */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Activity"][];
                        hasMore: boolean;
                        pageSize: number;
                        page: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "notifications-messages": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SentMessage"][];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "numbers-now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NumbersNow"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "numbers-read": {
        parameters: {
            query?: {
                /** @description ISO 8601; the last 24 hours unless said. */
                from?: string;
                /** @description ISO 8601; the last 24 hours unless said. */
                to?: string;
                step?: "minute" | "hour" | "day";
                /** @description What tells series apart, besides the outcome. */
                by?: ("channel" | "workflow" | "provider" | "outcome")[];
                channel?: "in_app" | "email" | "sms" | "chat" | "push";
                workflowId?: string;
                providerId?: string;
                outcome?: "accepted" | "notified" | "sent" | "failed" | "unknown" | "retried" | "skipped" | "merged" | "canceled" | "redriven" | "delivered" | "bounced" | "complained";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Numbers"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "organization-get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "organization-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: identifier */
                    name?: string;
                    /** @description The e-mail integration that sends invitations and resets. From then on only owners change it. */
                    mail?: {
                        environmentId: string;
                        integrationId: string;
                    } | null;
                    /** @description Whoever comes by a password and has no second proof is let in only to set one up. */
                    requireTwoFactor?: boolean;
                    /**
                     * @description owners-only: everybody else comes in by a sign-in connection.
                     * @enum {string}
                     */
                    passwords?: "allowed" | "owners-only";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "organization-me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationName"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "providers-list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Provider"][];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "publications-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                publicationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicationDetail"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "publications-list": {
        parameters: {
            query?: {
                /** @description Fetch what follows this cursor. */
                after?: string;
                /** @description Fetch what precedes this cursor. */
                before?: string;
                limit?: number;
                orderDirection?: "ASC" | "DESC";
                orderBy?: "_id" | "createdAt";
                /** @description Include the item the cursor stands on. */
                includeCursor?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Publication"][];
                        next: string | null;
                        previous: string | null;
                        totalCount: number;
                        totalCountCapped: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "publications-restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                publicationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description By default the state after it.
                     * @enum {string}
                     */
                    state?: "before" | "after";
                    /** @description Only says what would be done. */
                    dryRun?: boolean;
                    /** @description Of the diff that was shown: what differs from it is refused with 409. */
                    fingerprint?: string;
                    /** @description Why: it is kept with the publication. */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedEnvironment"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "sends-cancel": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; shown with it. */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Send"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "sends-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Send"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "sends-list": {
        parameters: {
            query?: {
                /** @description open: all that are not over. */
                state?: "open" | "running" | "canary" | "waiting" | "paused" | "canceling" | "canceled" | "done";
                page?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Send"][];
                        hasMore: boolean;
                        pageSize: number;
                        page: number;
                        totalCount?: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "sends-pause": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; shown with it. */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Send"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "sends-resume": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description false: from now on only a person stops it. */
                    guard?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Send"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "sign-in-connections-check": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedSignInConnection"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "sign-in-connections-list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignInConnection"][];
                        /** @description To register at the issuers. Null: PUBLIC_URL is not set, and nobody can come in. */
                        redirectUri: string | null;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "sign-in-connections-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: identifier
                     * @description As the button at the sign-in says: Continue with …
                     */
                    name: string;
                    /** @description As the issuer calls itself; begins with https. */
                    issuer: string;
                    /**
                     * Format: identifier
                     * @description What the issuer calls this installation.
                     */
                    clientId: string;
                    /**
                     * Format: identifier
                     * @description Never shown again.
                     */
                    clientSecret: string;
                    /** @description It vouches for e-mail addresses of these alone; subdomains are others. */
                    domains: string[];
                    /** @description What is asked of the issuer besides openid; usually email and profile. */
                    scopes?: string[];
                    /** @description Its issuer never says that it has checked an address, but people cannot choose theirs there. */
                    trustsEmail?: boolean;
                    /**
                     * Format: identifier
                     * @description Where the issuer names the groups of a person, such as groups or realm_access.roles.
                     */
                    groupsClaim?: string | null;
                    /** @description In order: the first group that somebody is in says what they are. */
                    groupRoles?: {
                        /** Format: identifier */
                        group: string;
                        /** @enum {string} */
                        role: "owner" | "admin" | "author" | "operator" | "viewer";
                    }[];
                    /**
                     * @description For those in none of the groups; null: they may not come in.
                     * @enum {string|null}
                     */
                    defaultRole?: "owner" | "admin" | "author" | "operator" | "viewer" | null;
                    /** @description Whoever it vouches for becomes a member; otherwise only who was invited. */
                    joins?: boolean;
                    /** @description Off: nobody comes in by it, and whoever did is signed out. */
                    active?: boolean;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInConnection"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "sign-in-connections-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "sign-in-connections-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: identifier
                     * @description As the button at the sign-in says: Continue with …
                     */
                    name?: string;
                    /** @description As the issuer calls itself; begins with https. */
                    issuer?: string;
                    /**
                     * Format: identifier
                     * @description What the issuer calls this installation.
                     */
                    clientId?: string;
                    /**
                     * Format: identifier
                     * @description Never shown again.
                     */
                    clientSecret?: string;
                    /** @description What is asked of the issuer besides openid; usually email and profile. */
                    scopes?: string[];
                    /** @description It vouches for e-mail addresses of these alone; subdomains are others. */
                    domains?: string[];
                    /** @description Its issuer never says that it has checked an address, but people cannot choose theirs there. */
                    trustsEmail?: boolean;
                    /**
                     * Format: identifier
                     * @description Where the issuer names the groups of a person, such as groups or realm_access.roles.
                     */
                    groupsClaim?: string | null;
                    /** @description In order: the first group that somebody is in says what they are. */
                    groupRoles?: {
                        /** Format: identifier */
                        group: string;
                        /** @enum {string} */
                        role: "owner" | "admin" | "author" | "operator" | "viewer";
                    }[];
                    /**
                     * @description For those in none of the groups; null: they may not come in.
                     * @enum {string|null}
                     */
                    defaultRole?: "owner" | "admin" | "author" | "operator" | "viewer" | null;
                    /** @description Whoever it vouches for becomes a member; otherwise only who was invited. */
                    joins?: boolean;
                    /** @description Off: nobody comes in by it, and whoever did is signed out. */
                    active?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInConnection"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-bulk": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    subscribers: {
                        [key: string]: unknown;
                    }[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        created: {
                            subscriberId: string;
                        }[];
                        updated: {
                            subscriberId: string;
                        }[];
                        failed: {
                            subscriberId?: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-credentials-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    providerId: "slack" | "discord" | "msteams" | "mattermost" | "ryver" | "zulip" | "grafana-on-call" | "getstream" | "rocket-chat" | "whatsapp-business" | "chat-webhook" | "platform-slack" | "fcm" | "apns" | "expo" | "one-signal" | "pushpad" | "push-webhook" | "pusher-beams" | "appio";
                    integrationIdentifier?: string;
                    credentials: components["schemas"]["ChannelCredentials"];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscriber"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-credentials-append": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    providerId: "slack" | "discord" | "msteams" | "mattermost" | "ryver" | "zulip" | "grafana-on-call" | "getstream" | "rocket-chat" | "whatsapp-business" | "chat-webhook" | "platform-slack" | "fcm" | "apns" | "expo" | "one-signal" | "pushpad" | "push-webhook" | "pusher-beams" | "appio";
                    integrationIdentifier?: string;
                    credentials: components["schemas"]["ChannelCredentials"];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscriber"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-credentials-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
                providerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-device-tokens-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
                providerId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    deviceTokens: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscriber"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-messages-action": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
                messageId: string;
                type: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    status: "pending" | "done";
                    payload?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-messages-mark-all": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    markAs: "read" | "seen" | "unread" | "unseen";
                    /** @description Messages are in no named feed here: naming one marks none. */
                    feedIdentifier?: string | string[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": number;
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-messages-mark-as": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    messageId: string | string[];
                    /** @enum {string} */
                    markAs: "read" | "seen" | "unread" | "unseen";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"][];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-count-unread": {
        parameters: {
            query?: {
                /** @description Counting stops here. */
                limit?: number;
                /** @description True counts what is read. */
                read?: boolean;
            };
            header?: never;
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-count-unseen": {
        parameters: {
            query?: {
                /** @description Counting stops here. */
                limit?: number;
                /** @description True counts what is seen. */
                seen?: boolean;
            };
            header?: never;
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-feed": {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                read?: boolean;
                seen?: boolean;
                archived?: boolean;
                snoozed?: boolean;
                /** @description Base64 of a partial payload, as JSON. */
                payload?: string;
            };
            header?: never;
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FeedItem"][];
                        hasMore: boolean;
                        pageSize: number;
                        page: number;
                        totalCount?: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-online-status": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    isOnline: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscriber"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "suppressions-list": {
        parameters: {
            query?: {
                channel?: "email" | "sms";
                /** @description The whole address, in any case. */
                address?: string;
                page?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Suppression"][];
                        hasMore: boolean;
                        pageSize: number;
                        page: number;
                        totalCount?: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "suppressions-add": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    channel: "email" | "sms";
                    /** Format: identifier */
                    address: string;
                    /** @enum {string} */
                    reason?: "bounced" | "complained" | "unsubscribed";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Suppression"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "suppressions-remove": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                channel: string;
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "tenants-list": {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Tenant"][];
                        hasMore: boolean;
                        pageSize: number;
                        page: number;
                        totalCount?: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "tenants-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: identifier */
                    identifier: string;
                    name?: string | null;
                    data?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "tenants-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "tenants-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "tenants-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                identifier: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: identifier */
                    identifier?: string;
                    name?: string | null;
                    data?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "topics-subscribers-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                topicKey: string;
                externalSubscriberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        _organizationId: string;
                        _environmentId: string;
                        _subscriberId: string;
                        _topicId: string;
                        topicKey: string;
                        externalSubscriberId: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "unsubscribe-show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "unsubscribe-confirm": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
                "application/x-www-form-urlencoded": unknown;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhook-endpoints-list": {
        parameters: {
            query?: {
                /** @description Fetch what follows this cursor. */
                after?: string;
                /** @description Fetch what precedes this cursor. */
                before?: string;
                limit?: number;
                orderDirection?: "ASC" | "DESC";
                orderBy?: "_id" | "createdAt" | "updatedAt";
                /** @description Include the item the cursor stands on. */
                includeCursor?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"][];
                        next: string | null;
                        previous: string | null;
                        totalCount: number;
                        totalCountCapped: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhook-endpoints-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description http or https; private addresses are refused. */
                    url: string;
                    description?: string | null;
                    /** @description What it is told of; null: everything, also what later versions tell of. */
                    eventTypes?: ("message.sent" | "message.failed" | "message.delivered" | "message.bounced" | "message.complained" | "message.seen" | "message.read" | "message.unread" | "message.archived" | "message.unarchived" | "message.snoozed" | "message.unsnoozed" | "message.deleted" | "notification.completed" | "preference.updated" | "subscriber.created" | "subscriber.updated" | "subscriber.deleted" | "workflow.created" | "workflow.updated" | "workflow.deleted" | "workflow.published")[] | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhook-endpoints-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhook-endpoints-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhook-endpoints-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description http or https; private addresses are refused. */
                    url?: string;
                    description?: string | null;
                    /** @description What it is told of; null: everything, also what later versions tell of. */
                    eventTypes?: ("message.sent" | "message.failed" | "message.delivered" | "message.bounced" | "message.complained" | "message.seen" | "message.read" | "message.unread" | "message.archived" | "message.unarchived" | "message.snoozed" | "message.unsnoozed" | "message.deleted" | "notification.completed" | "preference.updated" | "subscriber.created" | "subscriber.updated" | "subscriber.deleted" | "workflow.created" | "workflow.updated" | "workflow.deleted" | "workflow.published")[] | null;
                    /** @enum {string} */
                    status?: "enabled" | "disabled";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhook-endpoints-deliveries": {
        parameters: {
            query?: {
                /** @description Fetch what follows this cursor. */
                after?: string;
                /** @description Fetch what precedes this cursor. */
                before?: string;
                limit?: number;
                orderDirection?: "ASC" | "DESC";
                orderBy?: "_id" | "createdAt";
                /** @description Include the item the cursor stands on. */
                includeCursor?: boolean;
                status?: "open" | "delivered" | "failed";
                type?: "message.sent" | "message.failed" | "message.delivered" | "message.bounced" | "message.complained" | "message.seen" | "message.read" | "message.unread" | "message.archived" | "message.unarchived" | "message.snoozed" | "message.unsnoozed" | "message.deleted" | "notification.completed" | "preference.updated" | "subscriber.created" | "subscriber.updated" | "subscriber.deleted" | "workflow.created" | "workflow.updated" | "workflow.deleted" | "workflow.published" | "endpoint.test";
                /** @description Events of this time and later, as ISO 8601. */
                since?: string;
                /** @description And before this time. */
                until?: string;
            };
            header?: never;
            path: {
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        next: string | null;
                        previous: string | null;
                        totalCount: number;
                        totalCountCapped: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhook-endpoints-delivery": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                endpointId: string;
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhook-endpoints-replay": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Events of this time and later, as ISO 8601. */
                    since: string;
                    /** @description And before this time; by default until now. */
                    until?: string;
                    /**
                     * @description `failed`, by default: what was given up. `all`: also what arrived.
                     * @enum {string}
                     */
                    status?: "failed" | "all";
                    /** @description The `next` of the reply before, to go on. */
                    after?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        replayed: number;
                        /** @description There are more than 5,000: give it as `after` to go on. */
                        next: string | null;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhook-endpoints-replay-delivery": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                endpointId: string;
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhook-endpoints-rotate-secret": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description How long both sign.
                     * @default 24
                     */
                    overlapHours?: number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhook-endpoints-send-test": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                endpointId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhooks-challenge": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                integrationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        received: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhooks-receive": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                integrationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
                "application/x-www-form-urlencoded": unknown;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        received: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "contexts-list": {
        parameters: {
            query?: {
                /** @description Fetch what follows this cursor. */
                after?: string;
                /** @description Fetch what precedes this cursor. */
                before?: string;
                limit?: number;
                orderDirection?: "ASC" | "DESC";
                orderBy?: "_id" | "createdAt" | "updatedAt";
                /** @description Include the item the cursor stands on. */
                includeCursor?: boolean;
                /** @description Exactly this id, of any type. */
                id?: string;
                /** @description A part of the type or of the id. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Context"][];
                        next: string | null;
                        previous: string | null;
                        totalCount: number;
                        totalCountCapped: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "contexts-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: identifier
                     * @description What it is: tenant, app, region. Without ":".
                     */
                    type: string;
                    /**
                     * Format: identifier
                     * @description Which one of its type.
                     */
                    id: string;
                    data?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "contexts-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                type: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "contexts-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                type: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "contexts-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                type: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    data: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environments-diff": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                targetEnvironmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description By default the environment that the target is published from. */
                    sourceEnvironmentId?: string;
                    /** @description Only these, and what they depend on. */
                    resources?: {
                        /** @description workflow, layout, translation or setting. Any other word: whatever has this id, workflows first. */
                        resourceType?: string;
                        resourceId: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnvironmentDiff"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environments-publish": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                targetEnvironmentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description By default the environment that the target is published from. */
                    sourceEnvironmentId?: string;
                    /** @description Only says what would be done. */
                    dryRun?: boolean;
                    /** @description Only these, and what they depend on. */
                    resources?: {
                        /** @description workflow, layout, translation or setting. Any other word: whatever has this id, workflows first. */
                        resourceType?: string;
                        resourceId: string;
                    }[];
                    /** @description Of the diff that was shown: what differs from it is refused with 409. */
                    fingerprint?: string;
                    /** @description Why: it is kept with the publication. */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedEnvironment"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "environments-tags": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                    }[];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "layouts-list": {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                /** @description A part of the name or layoutId, case-sensitive. */
                query?: string;
                orderBy?: "createdAt" | "updatedAt" | "name";
                orderDirection?: "ASC" | "DESC";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        layouts: components["schemas"]["Layout"][];
                        totalCount: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "layouts-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: identifier */
                    layoutId: string;
                    name: string;
                    isTranslationEnabled?: boolean;
                    /** @description Around every e-mail whose step names no layout. The one that was it is so no longer. */
                    isDefault?: boolean;
                    controlValues?: {
                        email?: {
                            body?: string | Record<string, never> | null;
                            /** @enum {string} */
                            editorType?: "html" | "block";
                        } | null;
                    } | null;
                    /** @description Clients send it; it says nothing here. */
                    __source?: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Layout"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "layouts-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                layoutId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Layout"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "layouts-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                layoutId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    isTranslationEnabled?: boolean;
                    /** @description Around every e-mail whose step names no layout. The one that was it is so no longer. */
                    isDefault?: boolean;
                    controlValues?: {
                        email?: {
                            body?: string | Record<string, never> | null;
                            /** @enum {string} */
                            editorType?: "html" | "block";
                        } | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Layout"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "layouts-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                layoutId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "layouts-duplicate": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                layoutId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** Format: identifier */
                    layoutId?: string;
                    isTranslationEnabled?: boolean;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Layout"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "layouts-preview": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                layoutId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    controlValues?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description HTML in place of the sample, a template as in a step. */
                    content?: string;
                    /** @description A person whose stored profile is used. */
                    subscriberId?: string;
                    previewPayload?: {
                        /** @description Fields that stand over those of the stored profile. */
                        subscriber?: {
                            [key: string]: unknown;
                        };
                        /** @description As an event would carry it. */
                        payload?: {
                            [key: string]: unknown;
                        };
                        /** @description Fields of whoever caused the event. */
                        actor?: {
                            [key: string]: unknown;
                        };
                        /** @description Fields of the tenant. */
                        tenant?: {
                            [key: string]: unknown;
                        };
                        /** @description The contexts by type: an id, or `{ id, data }`. Without `data`, what is stored is used. */
                        context?: {
                            [key: string]: unknown;
                        };
                        /** @description `events`: payloads that a digest before the step has gathered. */
                        steps?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LayoutPreview"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "layouts-usage": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                layoutId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workflows: {
                            name: string;
                            workflowId: string;
                        }[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-search": {
        parameters: {
            query?: {
                /** @description Fetch what follows this cursor. */
                after?: string;
                /** @description Fetch what precedes this cursor. */
                before?: string;
                limit?: number;
                orderDirection?: "ASC" | "DESC";
                orderBy?: "_id" | "createdAt" | "updatedAt" | "subscriberId";
                /** @description Include the item the cursor stands on. */
                includeCursor?: boolean;
                /** @description A part of the e-mail address, case-sensitive. */
                email?: string;
                /** @description A part of "first last", case-sensitive. */
                name?: string;
                /** @description A part of the phone number. */
                phone?: string;
                /** @description The whole subscriberId. */
                subscriberId?: string;
                /** @description A part of name, e-mail address or phone number in upper or lower case, or the whole subscriberId. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Subscriber"][];
                        next: string | null;
                        previous: string | null;
                        totalCount: number;
                        totalCountCapped: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-create": {
        parameters: {
            query?: {
                failIfExists?: boolean;
            };
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: identifier */
                    subscriberId: string;
                    firstName?: string | null;
                    lastName?: string | null;
                    /** Format: email */
                    email?: string | null;
                    phone?: string | null;
                    avatar?: string | null;
                    /** Format: timezone */
                    timezone?: string | null;
                    /** Format: locale */
                    locale?: string | null;
                    data?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscriber"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscriber"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        acknowledged: boolean;
                        status: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    firstName?: string | null;
                    lastName?: string | null;
                    /** Format: email */
                    email?: string | null;
                    phone?: string | null;
                    avatar?: string | null;
                    /** Format: timezone */
                    timezone?: string | null;
                    /** Format: locale */
                    locale?: string | null;
                    data?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscriber"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-export": {
        parameters: {
            query?: {
                /** @description The `next` of the page before. */
                after?: string;
                /** @description Of notifications, and of messages. */
                limit?: number;
            };
            header?: never;
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: date-time */
                        exportedAt: string;
                        subscriber: components["schemas"]["Subscriber"];
                        /** @description On the first page. */
                        topicSubscriptions: components["schemas"]["TopicSubscription"][];
                        /** @description What was chosen in them. On the first page. */
                        subscriptions: components["schemas"]["Subscription"][];
                        /** @description Where they are reached. On the first page. */
                        channelEndpoints: components["schemas"]["ChannelEndpoint"][];
                        preferences: components["schemas"]["ExportedPreferences"];
                        notifications: components["schemas"]["Activity"][];
                        messages: components["schemas"]["Message"][];
                        /** @description Ask again with it as `after`; null: this was the last page. */
                        next: string | null;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-inbox-session": {
        parameters: {
            query?: {
                /** @description A token that can change nothing, and does not make the person online. */
                lookOnly?: boolean;
            };
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxSession"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-archive": {
        parameters: {
            query?: {
                contextKeys?: string[];
            };
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxNotification"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-archive-all": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
                    tags?: string[] | {
                        or?: string[];
                        and?: {
                            or: string[];
                        }[];
                    };
                    /** @description A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
                    data?: string;
                    contextKeys?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-archive-all-read": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
                    tags?: string[] | {
                        or?: string[];
                        and?: {
                            or: string[];
                        }[];
                    };
                    /** @description A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
                    data?: string;
                    contextKeys?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-complete-action": {
        parameters: {
            query?: {
                contextKeys?: string[];
            };
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
                notificationId: string;
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxNotification"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-count": {
        parameters: {
            query: {
                /** @description A list of filters as JSON, such as [{"read":false},{"seen":false}]. */
                filters: string;
            };
            header?: never;
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        count: number;
                        filter: {
                            [key: string]: unknown;
                        };
                    }[];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-delete": {
        parameters: {
            query?: {
                contextKeys?: string[];
            };
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-delete-all": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
                    tags?: string[] | {
                        or?: string[];
                        and?: {
                            or: string[];
                        }[];
                    };
                    /** @description A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
                    data?: string;
                    contextKeys?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-list": {
        parameters: {
            query?: {
                limit?: number;
                /** @description The id of the last notification of the page before. */
                after?: string;
                offset?: number;
                read?: boolean;
                seen?: boolean;
                archived?: boolean;
                snoozed?: boolean;
                severity?: ("high" | "medium" | "low" | "none")[];
                /** @description Milliseconds. */
                createdGte?: number;
                /** @description Milliseconds. */
                createdLte?: number;
                tags?: string[];
                /** @description A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
                data?: string;
                contextKeys?: string[];
            };
            header?: never;
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InboxNotification"][];
                        hasMore: boolean;
                        filter: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-mark-all-read": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
                    tags?: string[] | {
                        or?: string[];
                        and?: {
                            or: string[];
                        }[];
                    };
                    /** @description A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
                    data?: string;
                    contextKeys?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-mark-read": {
        parameters: {
            query?: {
                contextKeys?: string[];
            };
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxNotification"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-mark-seen": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    notificationIds?: string[];
                    /** @description One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
                    tags?: string[] | {
                        or?: string[];
                        and?: {
                            or: string[];
                        }[];
                    };
                    /** @description A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
                    data?: string;
                    contextKeys?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-mark-unread": {
        parameters: {
            query?: {
                contextKeys?: string[];
            };
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxNotification"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-revert-action": {
        parameters: {
            query?: {
                contextKeys?: string[];
            };
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
                notificationId: string;
                type: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxNotification"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-snooze": {
        parameters: {
            query?: {
                contextKeys?: string[];
            };
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: date-time */
                    snoozeUntil: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxNotification"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-unarchive": {
        parameters: {
            query?: {
                contextKeys?: string[];
            };
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxNotification"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-notifications-unsnooze": {
        parameters: {
            query?: {
                contextKeys?: string[];
            };
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
                notificationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxNotification"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-preferences-bulk": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    preferences: {
                        /** @description Of a workflow: workflowId, _id or slug. */
                        workflowId: string;
                        enabled?: boolean | null;
                        channels: {
                            in_app?: boolean | null;
                            email?: boolean | null;
                            sms?: boolean | null;
                            chat?: boolean | null;
                            push?: boolean | null;
                        };
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedPreference"][];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-preferences-list": {
        parameters: {
            query?: {
                criticality?: "critical" | "nonCritical" | "all";
            };
            header?: never;
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriberPreferences"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-preferences-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of a workflow: workflowId, _id or slug. */
                    workflowId?: string;
                    enabled?: boolean | null;
                    channels?: {
                        in_app?: boolean | null;
                        email?: boolean | null;
                        sms?: boolean | null;
                        chat?: boolean | null;
                        push?: boolean | null;
                    };
                    schedule?: {
                        isEnabled: boolean;
                        weeklySchedule?: {
                            monday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            tuesday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            wednesday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            thursday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            friday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            saturday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                            sunday?: {
                                isEnabled: boolean;
                                hours?: {
                                    start: string;
                                    end: string;
                                }[];
                            };
                        };
                    } | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriberPreferences"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "subscribers-subscriptions-list": {
        parameters: {
            query?: {
                /** @description Fetch what follows this cursor. */
                after?: string;
                /** @description Fetch what precedes this cursor. */
                before?: string;
                limit?: number;
                orderDirection?: "ASC" | "DESC";
                orderBy?: "_id" | "createdAt";
                /** @description Include the item the cursor stands on. */
                includeCursor?: boolean;
                /** @description Only the topic with this key. */
                key?: string;
            };
            header?: never;
            path: {
                subscriberId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TopicSubscription"][];
                        next: string | null;
                        previous: string | null;
                        totalCount: number;
                        totalCountCapped: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "topics-list": {
        parameters: {
            query?: {
                /** @description Fetch what follows this cursor. */
                after?: string;
                /** @description Fetch what precedes this cursor. */
                before?: string;
                limit?: number;
                orderDirection?: "ASC" | "DESC";
                orderBy?: "_id" | "createdAt" | "updatedAt" | "key" | "name";
                /** @description Include the item the cursor stands on. */
                includeCursor?: boolean;
                /** @description A part of the key, case-sensitive. */
                key?: string;
                /** @description A part of the name, case-sensitive. */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Topic"][];
                        next: string | null;
                        previous: string | null;
                        totalCount: number;
                        totalCountCapped: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "topics-create": {
        parameters: {
            query?: {
                failIfExists?: boolean;
            };
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: topic-key */
                    key: string;
                    name?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Topic"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "topics-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                topicKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Topic"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "topics-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                topicKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        acknowledged: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "topics-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                topicKey: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Topic"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "topics-subscriptions-list": {
        parameters: {
            query?: {
                /** @description Fetch what follows this cursor. */
                after?: string;
                /** @description Fetch what precedes this cursor. */
                before?: string;
                limit?: number;
                orderDirection?: "ASC" | "DESC";
                orderBy?: "_id" | "createdAt";
                /** @description Include the item the cursor stands on. */
                includeCursor?: boolean;
                /** @description Only this subscriber. */
                subscriberId?: string;
            };
            header?: never;
            path: {
                topicKey: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TopicMember"][];
                        next: string | null;
                        previous: string | null;
                        totalCount: number;
                        totalCountCapped: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "topics-subscriptions-add": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                topicKey: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    subscriptions?: (string | {
                        subscriberId?: string;
                        identifier?: string;
                    })[];
                    subscriberIds?: string[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TopicSubscription"][];
                        meta: {
                            totalCount: number;
                            successful: number;
                            failed: number;
                        };
                        errors?: {
                            subscriberId: string;
                            code: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "topics-subscriptions-remove": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                topicKey: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    subscriptions?: (string | {
                        subscriberId?: string;
                        identifier?: string;
                    })[];
                    subscriberIds?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TopicSubscription"][];
                        meta: {
                            totalCount: number;
                            successful: number;
                            failed: number;
                        };
                        errors?: {
                            subscriberId: string;
                            code: string;
                            message: string;
                        }[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "topics-subscriptions-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                topicKey: string;
                identifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        identifier: string;
                        name?: string;
                        contextKeys: string[];
                        preferences: components["schemas"]["SubscriptionPreference"][];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "topics-subscriptions-update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                topicKey: string;
                identifier: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string | null;
                    preferences?: (string | {
                        /** @description Of a workflow: workflowId, _id or slug. */
                        workflowId?: string;
                        filter?: {
                            workflowIds?: string[];
                            tags?: string[];
                        };
                        enabled?: boolean;
                        /** @description JSON Logic over payload, subscriber, actor and context. Null takes it back. */
                        condition?: unknown;
                    })[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedTopicSubscription"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "translations-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The workflowId or layoutId. */
                    resourceId: string;
                    /** @enum {string} */
                    resourceType: "workflow" | "layout";
                    /** @description As in de_AT or de-AT. */
                    locale: string;
                    /** @description Texts by key, nested or not. */
                    content: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Translation"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "translations-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resourceType: string;
                resourceId: string;
                locale: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Translation"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "translations-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                resourceType: string;
                resourceId: string;
                locale: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "translations-group-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                resourceType: string;
                resourceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "translations-group-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resourceType: string;
                resourceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TranslationGroup"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "translations-group-missing": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                resourceType: string;
                resourceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingTranslations"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "translations-master-get": {
        parameters: {
            query?: {
                /** @description The default locale, unless another is named. */
                locale?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MasterTranslations"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "translations-master-import": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description As in de_AT. */
                    locale: string;
                    /** @description `workflows` and `layouts`, each by its identifier. */
                    masterJson: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedTranslations"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "translations-master-upload": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    files: {
                        /** @description As in de_AT.json. */
                        name: string;
                        content: string;
                    }[];
                };
                "multipart/form-data": {
                    files?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedTranslations"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "translations-upload": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    resourceId: string;
                    /** @enum {string} */
                    resourceType: "workflow" | "layout";
                    files: {
                        /** @description As in de_AT.json. */
                        name: string;
                        content: string;
                    }[];
                };
                "multipart/form-data": {
                    files?: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedTranslations"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhooks-challenge-in-environment": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environmentId: string;
                integrationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        received: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhooks-receive-in-environment": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                environmentId: string;
                integrationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
                "application/x-www-form-urlencoded": unknown;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of the message. */
                        id: string;
                        event: {
                            /** @enum {string} */
                            status: "delivered" | "bounced" | "complaint" | "opened" | "clicked" | "unsubscribed";
                            /** Format: date-time */
                            date: string;
                        };
                    }[];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "workflows-compile-blocks": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The document, as text or as the object itself. */
                    body: string | {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description With its variables: a body for `editorType: "html"`. */
                        html: string;
                        /** @description What of the document is not in it as it stands there. */
                        warnings: {
                            message: string;
                            variable?: string;
                        }[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "workflows-list": {
        parameters: {
            query?: {
                /** @description Fetch what follows this cursor. */
                after?: string;
                /** @description Fetch what precedes this cursor. */
                before?: string;
                limit?: number;
                orderDirection?: "ASC" | "DESC";
                orderBy?: "_id" | "createdAt" | "updatedAt" | "name" | "workflowId";
                /** @description Include the item the cursor stands on. */
                includeCursor?: boolean;
                /** @description Skip this many; cursors are better, and win. */
                offset?: number;
                /** @description A part of the name or workflowId, case-sensitive. */
                query?: string;
                /** @description Any of these. */
                tags?: string[];
                /** @description Any of these. */
                status?: ("ACTIVE" | "INACTIVE" | "ERROR")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WorkflowSummary"][];
                        next: string | null;
                        previous: string | null;
                        totalCount: number;
                        totalCountCapped: boolean;
                        workflows: components["schemas"]["WorkflowSummary"][];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "workflows-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: identifier */
                    workflowId: string;
                    name: string;
                    description?: string;
                    active?: boolean;
                    tags?: string[];
                    /** @enum {string} */
                    severity?: "high" | "medium" | "low" | "none";
                    critical?: boolean;
                    validatePayload?: boolean;
                    payloadSchema?: {
                        [key: string]: unknown;
                    } | null;
                    isTranslationEnabled?: boolean;
                    preferences?: {
                        user?: {
                            all?: {
                                enabled?: boolean;
                                readOnly?: boolean;
                            };
                            channels?: {
                                in_app?: {
                                    enabled?: boolean;
                                };
                                email?: {
                                    enabled?: boolean;
                                };
                                sms?: {
                                    enabled?: boolean;
                                };
                                chat?: {
                                    enabled?: boolean;
                                };
                                push?: {
                                    enabled?: boolean;
                                };
                            };
                        } | null;
                        workflow?: {
                            all?: {
                                enabled?: boolean;
                                readOnly?: boolean;
                            };
                            channels?: {
                                in_app?: {
                                    enabled?: boolean;
                                };
                                email?: {
                                    enabled?: boolean;
                                };
                                sms?: {
                                    enabled?: boolean;
                                };
                                chat?: {
                                    enabled?: boolean;
                                };
                                push?: {
                                    enabled?: boolean;
                                };
                            };
                        } | null;
                        default?: {
                            all?: {
                                enabled?: boolean;
                                readOnly?: boolean;
                            };
                            channels?: {
                                in_app?: {
                                    enabled?: boolean;
                                };
                                email?: {
                                    enabled?: boolean;
                                };
                                sms?: {
                                    enabled?: boolean;
                                };
                                chat?: {
                                    enabled?: boolean;
                                };
                                push?: {
                                    enabled?: boolean;
                                };
                            };
                        } | null;
                    } | null;
                    ttl?: {
                        amount: number;
                        /** @enum {string} */
                        unit: "seconds" | "minutes" | "hours" | "days" | "weeks" | "months";
                    } | null;
                    steps: {
                        _id?: string;
                        /** Format: identifier */
                        stepId?: string;
                        name: string;
                        /** @enum {string} */
                        type: "in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle";
                        active?: boolean;
                        shouldStopOnFail?: boolean;
                        controlValues?: {
                            [key: string]: unknown;
                        } | null;
                        filters?: {
                            isNegated?: boolean;
                            /** @enum {string} */
                            type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP";
                            /** @enum {string} */
                            value?: "AND" | "OR";
                            children?: {
                                field: string;
                                value: string;
                                /** @enum {string} */
                                operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN";
                                /** @enum {string} */
                                on: "subscriber" | "payload";
                            }[];
                        }[];
                        when?: {
                            stepId: string;
                            /** @enum {string} */
                            is: "seen" | "unseen" | "read" | "unread" | "sent" | "failed";
                        } | null;
                        variants?: {
                            name?: string;
                            filters?: {
                                isNegated?: boolean;
                                /** @enum {string} */
                                type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP";
                                /** @enum {string} */
                                value?: "AND" | "OR";
                                children?: {
                                    field: string;
                                    value: string;
                                    /** @enum {string} */
                                    operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN";
                                    /** @enum {string} */
                                    on: "subscriber" | "payload";
                                }[];
                            }[];
                            controlValues?: {
                                [key: string]: unknown;
                            } | null;
                        }[];
                        replyCallback?: {
                            active?: boolean;
                            url?: string;
                        } | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "workflows-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "workflows-replace": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string;
                    active?: boolean;
                    tags?: string[];
                    /** @enum {string} */
                    severity?: "high" | "medium" | "low" | "none";
                    critical?: boolean;
                    validatePayload?: boolean;
                    payloadSchema?: {
                        [key: string]: unknown;
                    } | null;
                    isTranslationEnabled?: boolean;
                    preferences?: {
                        user?: {
                            all?: {
                                enabled?: boolean;
                                readOnly?: boolean;
                            };
                            channels?: {
                                in_app?: {
                                    enabled?: boolean;
                                };
                                email?: {
                                    enabled?: boolean;
                                };
                                sms?: {
                                    enabled?: boolean;
                                };
                                chat?: {
                                    enabled?: boolean;
                                };
                                push?: {
                                    enabled?: boolean;
                                };
                            };
                        } | null;
                        workflow?: {
                            all?: {
                                enabled?: boolean;
                                readOnly?: boolean;
                            };
                            channels?: {
                                in_app?: {
                                    enabled?: boolean;
                                };
                                email?: {
                                    enabled?: boolean;
                                };
                                sms?: {
                                    enabled?: boolean;
                                };
                                chat?: {
                                    enabled?: boolean;
                                };
                                push?: {
                                    enabled?: boolean;
                                };
                            };
                        } | null;
                        default?: {
                            all?: {
                                enabled?: boolean;
                                readOnly?: boolean;
                            };
                            channels?: {
                                in_app?: {
                                    enabled?: boolean;
                                };
                                email?: {
                                    enabled?: boolean;
                                };
                                sms?: {
                                    enabled?: boolean;
                                };
                                chat?: {
                                    enabled?: boolean;
                                };
                                push?: {
                                    enabled?: boolean;
                                };
                            };
                        } | null;
                    } | null;
                    ttl?: {
                        amount: number;
                        /** @enum {string} */
                        unit: "seconds" | "minutes" | "hours" | "days" | "weeks" | "months";
                    } | null;
                    steps: {
                        _id?: string;
                        /** Format: identifier */
                        stepId?: string;
                        name: string;
                        /** @enum {string} */
                        type: "in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle";
                        active?: boolean;
                        shouldStopOnFail?: boolean;
                        controlValues?: {
                            [key: string]: unknown;
                        } | null;
                        filters?: {
                            isNegated?: boolean;
                            /** @enum {string} */
                            type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP";
                            /** @enum {string} */
                            value?: "AND" | "OR";
                            children?: {
                                field: string;
                                value: string;
                                /** @enum {string} */
                                operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN";
                                /** @enum {string} */
                                on: "subscriber" | "payload";
                            }[];
                        }[];
                        when?: {
                            stepId: string;
                            /** @enum {string} */
                            is: "seen" | "unseen" | "read" | "unread" | "sent" | "failed";
                        } | null;
                        variants?: {
                            name?: string;
                            filters?: {
                                isNegated?: boolean;
                                /** @enum {string} */
                                type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP";
                                /** @enum {string} */
                                value?: "AND" | "OR";
                                children?: {
                                    field: string;
                                    value: string;
                                    /** @enum {string} */
                                    operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN";
                                    /** @enum {string} */
                                    on: "subscriber" | "payload";
                                }[];
                            }[];
                            controlValues?: {
                                [key: string]: unknown;
                            } | null;
                        }[];
                        replyCallback?: {
                            active?: boolean;
                            url?: string;
                        } | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "workflows-delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "workflows-patch": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    active?: boolean;
                    description?: string;
                    tags?: string[];
                    validatePayload?: boolean;
                    payloadSchema?: {
                        [key: string]: unknown;
                    } | null;
                    isTranslationEnabled?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "workflows-preview": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    step: {
                        /** @enum {string} */
                        type: "in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle";
                        active?: boolean;
                        controlValues?: {
                            [key: string]: unknown;
                        } | null;
                        filters?: {
                            isNegated?: boolean;
                            /** @enum {string} */
                            type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP";
                            /** @enum {string} */
                            value?: "AND" | "OR";
                            children?: {
                                field: string;
                                value: string;
                                /** @enum {string} */
                                operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN";
                                /** @enum {string} */
                                on: "subscriber" | "payload";
                            }[];
                        }[];
                        variants?: {
                            name?: string;
                            filters?: {
                                isNegated?: boolean;
                                /** @enum {string} */
                                type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP";
                                /** @enum {string} */
                                value?: "AND" | "OR";
                                children?: {
                                    field: string;
                                    value: string;
                                    /** @enum {string} */
                                    operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN";
                                    /** @enum {string} */
                                    on: "subscriber" | "payload";
                                }[];
                            }[];
                            controlValues?: {
                                [key: string]: unknown;
                            } | null;
                        }[];
                    };
                    /** @description The workflow it will be part of: its translations and preferences are used. */
                    workflowId?: string;
                    /** @description A person whose stored profile is used. */
                    subscriberId?: string;
                    previewPayload?: {
                        /** @description Fields that stand over those of the stored profile. */
                        subscriber?: {
                            [key: string]: unknown;
                        };
                        /** @description As an event would carry it. */
                        payload?: {
                            [key: string]: unknown;
                        };
                        /** @description Fields of whoever caused the event. */
                        actor?: {
                            [key: string]: unknown;
                        };
                        /** @description Fields of the tenant. */
                        tenant?: {
                            [key: string]: unknown;
                        };
                        /** @description The contexts by type: an id, or `{ id, data }`. Without `data`, what is stored is used. */
                        context?: {
                            [key: string]: unknown;
                        };
                        /** @description `events`: payloads that a digest before the step has gathered. */
                        steps?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StepPreview"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "workflows-preview-send": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    step: {
                        /** @enum {string} */
                        type: "in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle";
                        active?: boolean;
                        controlValues?: {
                            [key: string]: unknown;
                        } | null;
                        filters?: {
                            isNegated?: boolean;
                            /** @enum {string} */
                            type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP";
                            /** @enum {string} */
                            value?: "AND" | "OR";
                            children?: {
                                field: string;
                                value: string;
                                /** @enum {string} */
                                operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN";
                                /** @enum {string} */
                                on: "subscriber" | "payload";
                            }[];
                        }[];
                        variants?: {
                            name?: string;
                            filters?: {
                                isNegated?: boolean;
                                /** @enum {string} */
                                type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP";
                                /** @enum {string} */
                                value?: "AND" | "OR";
                                children?: {
                                    field: string;
                                    value: string;
                                    /** @enum {string} */
                                    operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN";
                                    /** @enum {string} */
                                    on: "subscriber" | "payload";
                                }[];
                            }[];
                            controlValues?: {
                                [key: string]: unknown;
                            } | null;
                        }[];
                    };
                    /** @description The workflow it will be part of: its translations and preferences are used. */
                    workflowId?: string;
                    /** @description A person whose stored profile is used. */
                    subscriberId?: string;
                    previewPayload?: {
                        /** @description Fields that stand over those of the stored profile. */
                        subscriber?: {
                            [key: string]: unknown;
                        };
                        /** @description As an event would carry it. */
                        payload?: {
                            [key: string]: unknown;
                        };
                        /** @description Fields of whoever caused the event. */
                        actor?: {
                            [key: string]: unknown;
                        };
                        /** @description Fields of the tenant. */
                        tenant?: {
                            [key: string]: unknown;
                        };
                        /** @description The contexts by type: an id, or `{ id, data }`. Without `data`, what is stored is used. */
                        context?: {
                            [key: string]: unknown;
                        };
                        /** @description `events`: payloads that a digest before the step has gathered. */
                        steps?: {
                            [key: string]: unknown;
                        };
                    };
                    /** @description Yourself: an e-mail address, phone number, webhook URL, chat channel or device token. */
                    to: string;
                    /** @description Instead of the one that would send it. */
                    integrationIdentifier?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationTest"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "workflows-step-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workflowId: string;
                stepId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowStep"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "workflows-step-preview": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                workflowId: string;
                stepId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    controlValues?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description A person whose stored profile is used. */
                    subscriberId?: string;
                    previewPayload?: {
                        /** @description Fields that stand over those of the stored profile. */
                        subscriber?: {
                            [key: string]: unknown;
                        };
                        /** @description As an event would carry it. */
                        payload?: {
                            [key: string]: unknown;
                        };
                        /** @description Fields of whoever caused the event. */
                        actor?: {
                            [key: string]: unknown;
                        };
                        /** @description Fields of the tenant. */
                        tenant?: {
                            [key: string]: unknown;
                        };
                        /** @description The contexts by type: an id, or `{ id, data }`. Without `data`, what is stored is used. */
                        context?: {
                            [key: string]: unknown;
                        };
                        /** @description `events`: payloads that a digest before the step has gathered. */
                        steps?: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StepPreview"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "workflows-sync": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body give the same reply and no second effect, for 24 hours. */
                "idempotency-key"?: string;
            };
            path: {
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    targetEnvironmentId: string;
                    /** @description Of the diff that was shown: what differs from it is refused with 409. */
                    fingerprint?: string;
                    /** @description Why: it is kept with the publication. */
                    note?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Workflow"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "workflows-versions": {
        parameters: {
            query?: {
                /** @description Only older ones. */
                before?: number;
                limit?: number;
            };
            header?: never;
            path: {
                workflowId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WorkflowVersion"][];
                        hasMore: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-accept": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    /** Format: identifier */
                    name?: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-account-update": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: identifier */
                    name: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-connection-begin": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    organizationId: string;
                    connectionId: string;
                    /** @description So that it need not be typed again. */
                    email?: string;
                    /** @description A path of ours to go on to. */
                    next?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        url: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-connection-finish": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the address that the issuer sent one to. */
                    query: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        next: string | null;
                        session: components["schemas"]["Session"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-connections": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            organizationId: string;
                            connectionId: string;
                            name: string;
                            /** @description Where one signs in. */
                            host: string;
                        }[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-open": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An API key. */
                    key?: string;
                    /** @description The token of a sign-in link. */
                    link?: string;
                    /** @description The address of a person, with their password. */
                    email?: string;
                    password?: string;
                    /** @description Of the app of a second proof, or a recovery code. */
                    code?: string;
                    /** @description Which of their organizations; without it that used last. */
                    organizationId?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-end": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-invitation": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        email: string;
                        organization: {
                            id: string;
                            name: string;
                        };
                        /** @description There is an account with this address: no new one is made. */
                        isKnown: boolean;
                        connections: {
                            organizationId: string;
                            connectionId: string;
                            name: string;
                            /** @description Where one signs in. */
                            host: string;
                        }[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-join": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-organization": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    organizationId: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-password": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-recovery-codes": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    /** @description Of the app, or a recovery code. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Each works once. */
                        recoveryCodes: string[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-reset": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description Sign-in: with the new password and the second proof.
                         * @enum {string}
                         */
                        next: "dashboard" | "sign-in";
                        session?: components["schemas"]["Session"];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-reset-ask": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description OK */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OwnSession"][];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-sessions-end-others": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        ended: number;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-sessions-end": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-two-factor-begin": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description To type into the app. */
                        secret: string;
                        /** @description To show as a QR code (otpauth://). */
                        uri: string;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-two-factor-end": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                    /** @description Of the app, or a recovery code. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description OK */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-two-factor-confirm": {
        parameters: {
            query?: never;
            header: {
                /** @description Shows that the request comes from the dashboard: other sites cannot send it. */
                "x-tidings-session": "1";
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Each works once. */
                        recoveryCodes: string[];
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "session-ways": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Somebody has an account, or was invited; otherwise there are only keys. */
                        people: boolean;
                        /** @description Some come in by an issuer: ask for the e-mail address first. */
                        connections: boolean;
                    };
                };
            };
            /** @description Refused or failed */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
