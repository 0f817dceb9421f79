// Made from docs/openapi.json by npm run generate; do not edit.

/** The operations that an API key gives access to. */
export type Operations = {
  /** Make an API key that may do everything, to change over to, or less, for one program; its text is shown this once */
  'POST /v1/api-keys': {
    body: {
      name: string
      /** What it may do: everything, unless something else is said. */
      scope?: "everything" | "trigger" | "read" | "inbox"
      /** Its environment, or all of its organization. */
      reach?: "environment" | "organization"
      /** From then on it opens nothing; ISO 8601. */
      expiresAt?: string
      note?: string
    }
    reply: {
      id: string
      name: string
      scope: "everything" | "trigger" | "read" | "inbox"
      createdAt: string
      /** Keep it: only its hash is stored. */
      key: string
    }
  }
  /** List the API keys of the environment, live ones first, then the revoked, newest first; never their text */
  'GET /v1/api-keys': {
    reply: {
      data: ApiKey[]
    }
  }
  /** Revoke an API key; every node refuses it, and the sessions opened with it, within 5 seconds */
  'DELETE /v1/api-keys/{id}': {
    path: {
      id: string
    }
    reply: undefined
  }
  /** What a sync with this bridge would change; nothing is changed */
  'POST /v1/bridge/diff': {
    body: {
      /** http or https; private addresses are refused. Mostly ends with /api/novu. */
      bridgeUrl: string
    }
    reply: BridgeSync
  }
  /** The bridge of the environment, and whether it answers */
  'GET /v1/bridge': {
    reply: Bridge
  }
  /** Ask the bridge which workflows its code has: they are there then, and those that it has no more are deleted */
  'POST /v1/bridge/sync': {
    query?: {
      source?: string
    }
    body: {
      /** http or https; private addresses are refused. Mostly ends with /api/novu. */
      bridgeUrl: string
    }
    reply: BridgeSync
  }
  /** Whether a bridge answers at this address, takes our signature and tells of its workflows */
  'POST /v1/bridge/validate': {
    body: {
      /** http or https; private addresses are refused. Mostly ends with /api/novu. */
      bridgeUrl: string
    }
    reply: BridgeValidation
  }
  /** Who made the latest 10,000 changes: people, keys, links and commands, whoever did something last first */
  'GET /v1/changes/actors': {
    query?: {
      /** Of this environment (the default), or of all of them and the organization itself. */
      of?: "environment" | "organization"
    }
    reply: {
      data: ChangeActor[]
    }
  }
  /** The record of changes: who changed what, where and when */
  'GET /v1/changes': {
    query?: {
      /** Fetch what follows this cursor. */
      after?: string
      /** Fetch what precedes this cursor. */
      before?: string
      limit?: number
      orderDirection?: "ASC" | "DESC"
      orderBy?: "_id" | "createdAt"
      /** Include the item the cursor stands on. */
      includeCursor?: boolean
      /** Of this environment (the default), or of all of them and the organization itself. */
      of?: "environment" | "organization"
      /** Of this person, key, or command. */
      actorId?: string
      /** As in workflows.update, or workflows for all that was done to them. */
      action?: string
      /** As in workflow. */
      subjectType?: string
      /** As in the _id of a workflow. */
      subjectId?: string
      /** Of this time and later, as ISO 8601. */
      since?: string
      /** And before this time. */
      until?: string
    }
    reply: {
      data: ChangeRecord[]
      next: string | null
      previous: string | null
      totalCount: number
      totalCountCapped: boolean
    }
  }
  /** The older form of channel-connections/oauth and channel-endpoints/oauth in one */
  'POST /v1/integrations/chat/oauth': {
    body: {
      integrationIdentifier: string
      connectionIdentifier?: string
      context?: Record<string, unknown>
      /** Not needed with an API key. */
      contextHash?: string
      subscriberId?: string
      scope?: string[]
      connectionMode?: "subscriber" | "shared"
      /** Also reach the subscriber at the vendor. */
      autoLinkUser?: boolean
      userScope?: string[]
      mode?: "connect" | "link_user"
    }
    reply: {
      url: string
    }
  }
  /** Add a workspace whose tokens you have already */
  'POST /v1/channel-connections': {
    body: {
      identifier?: string
      subscriberId?: string
      context?: Record<string, unknown>
      connectionMode?: "subscriber" | "shared"
      integrationIdentifier: string
      workspace: {
        id: string
        name?: string
        botUserId?: string
      }
      auth?: {
        accessToken: string
        refreshToken?: string
        expiresAt?: string
        /** Not needed: the vendor says so when it has. */
        refreshTokenExpiresAt?: string
      }
    }
    reply: ChannelConnection
  }
  /** List channel connections: the workspaces that installed an app */
  'GET /v1/channel-connections': {
    query?: {
      /** Fetch what follows this cursor. */
      after?: string
      /** Fetch what precedes this cursor. */
      before?: string
      limit?: number
      orderDirection?: "ASC" | "DESC"
      orderBy?: "_id" | "createdAt" | "updatedAt"
      /** Include the item the cursor stands on. */
      includeCursor?: boolean
      subscriberId?: string
      integrationIdentifier?: string
      channel?: string
      providerId?: string
      connectionMode?: "subscriber" | "shared"
      /** Exactly these, each as `type:id`. */
      contextKeys?: string[]
    }
    reply: {
      data: ChannelConnection[]
      next: string | null
      previous: string | null
      totalCount: number
      totalCountCapped: boolean
    }
  }
  /** Delete a channel connection, its tokens and its endpoints */
  'DELETE /v1/channel-connections/{identifier}': {
    path: {
      identifier: string
    }
    reply: undefined
  }
  /** Get a channel connection */
  'GET /v1/channel-connections/{identifier}': {
    path: {
      identifier: string
    }
    reply: ChannelConnection
  }
  /** Give a channel connection new tokens; what was refused before is tried again */
  'PATCH /v1/channel-connections/{identifier}': {
    path: {
      identifier: string
    }
    body: {
      workspace: {
        id: string
        name?: string
        botUserId?: string
      }
      auth?: {
        accessToken: string
        refreshToken?: string
        expiresAt?: string
        /** Not needed: the vendor says so when it has. */
        refreshTokenExpiresAt?: string
      }
    }
    reply: ChannelConnection
  }
  /** The address at the vendor where a subscriber says who they are there */
  'POST /v1/integrations/channel-endpoints/oauth': {
    body: {
      integrationIdentifier: string
      connectionIdentifier?: string
      context?: Record<string, unknown>
      /** Not needed with an API key. */
      contextHash?: string
      subscriberId: string
      userScope?: string[]
    }
    reply: {
      url: string
    }
  }
  /** The address at the vendor where somebody installs the app in a workspace */
  'POST /v1/integrations/channel-connections/oauth': {
    body: {
      integrationIdentifier: string
      connectionIdentifier?: string
      context?: Record<string, unknown>
      /** Not needed with an API key. */
      contextHash?: string
      subscriberId?: string
      scope?: string[]
      connectionMode?: "subscriber" | "shared"
      /** Also reach the subscriber at the vendor. */
      autoLinkUser?: boolean
    }
    reply: {
      url: string
    }
  }
  /** Say where a subscriber is reached through an integration */
  'POST /v1/channel-endpoints': {
    body: {
      identifier?: string
      subscriberId: string
      createSubscriberIfMissing?: boolean
      context?: Record<string, unknown>
      integrationIdentifier: string
      connectionIdentifier?: string
      type: "slack_channel" | "slack_user" | "webhook" | "phone" | "ms_teams_channel" | "ms_teams_user" | "telegram_chat" | "google_chat_space" | "ntfy_topic" | "web_push"
      endpoint: slack_channel | slack_user | webhook | phone | ms_teams_channel | ms_teams_user | telegram_chat | google_chat_space | ntfy_topic | web_push
    }
    reply: ChannelEndpoint
  }
  /** List channel endpoints */
  'GET /v1/channel-endpoints': {
    query?: {
      /** Fetch what follows this cursor. */
      after?: string
      /** Fetch what precedes this cursor. */
      before?: string
      limit?: number
      orderDirection?: "ASC" | "DESC"
      orderBy?: "_id" | "createdAt" | "updatedAt"
      /** Include the item the cursor stands on. */
      includeCursor?: boolean
      subscriberId?: string
      integrationIdentifier?: string
      connectionIdentifier?: string
      channel?: string
      providerId?: string
      /** Exactly these, each as `type:id`. */
      contextKeys?: string[]
    }
    reply: {
      data: ChannelEndpoint[]
      next: string | null
      previous: string | null
      totalCount: number
      totalCountCapped: boolean
    }
  }
  /** Delete a channel endpoint: nothing is sent there any more */
  'DELETE /v1/channel-endpoints/{identifier}': {
    path: {
      identifier: string
    }
    reply: undefined
  }
  /** Get a channel endpoint */
  'GET /v1/channel-endpoints/{identifier}': {
    path: {
      identifier: string
    }
    reply: ChannelEndpoint
  }
  /** Move a channel endpoint to another place of the same type */
  'PATCH /v1/channel-endpoints/{identifier}': {
    path: {
      identifier: string
    }
    body: {
      endpoint: slack_channel | slack_user | webhook | phone | ms_teams_channel | ms_teams_user | telegram_chat | google_chat_space | ntfy_topic | web_push
    }
    reply: ChannelEndpoint
  }
  /** The address that a subscriber opens to be known to a bot (Telegram) */
  'POST /v1/integrations/channel-endpoints/link': {
    body: {
      integrationIdentifier: string
      subscriberId: string
      context?: Record<string, unknown>
      /** Not needed with an API key. */
      contextHash?: string
    }
    reply: {
      url: string
    }
  }
  /** Make workflows, layouts and translations what files say: all of it, or nothing; what no file names stays */
  'POST /v1/content': {
    body: {
      /** Only says what would be changed. */
      dryRun?: boolean
      /** As GET gives them: bodies of POST /v2/workflows, /v2/layouts and /v2/translations. */
      resources: Record<string, unknown>[]
    }
    reply: AppliedContent
  }
  /** All workflows, layouts and translations of this environment, as files hold them */
  'GET /v1/content': {
    reply: Content
  }
  /** List messages that were given up, newest first */
  'GET /v1/dead-letters': {
    query?: {
      channel?: "in_app" | "email" | "sms" | "chat" | "push"
      integrationId?: string
      page?: number
      limit?: number
    }
    reply: {
      data: DeadLetter[]
      hasMore: boolean
      pageSize: number
      page: number
      totalCount?: number
    }
  }
  /** Send messages again that were given up: those named, or all that fit the filter */
  'POST /v1/dead-letters/redrive': {
    body: {
      messageIds?: string[]
      all?: boolean
      channel?: "in_app" | "email" | "sms" | "chat" | "push"
      integrationId?: string
    }
    reply: {
      redriven: number
      /** With `all`: more are left than one call takes; call again. */
      hasMore: boolean
    }
  }
  /** What platform-email and platform-sms delivered, newest first (development); invitations and resets to owners only */
  'GET /v1/dev/mailbox': {
    query?: {
      /** The whole address or number. */
      to?: string
      limit?: number
    }
    reply: {
      data: DevMail[]
    }
  }
  /** The environment of this key: the public identifier that inboxes name, and what they must prove */
  'GET /v1/environment': {
    reply: {
      data: Environment
    }
  }
  /** Change whose translations stand where a reader’s own language has none */
  'PATCH /v1/environment': {
    body: {
      /** As in en_US. */
      defaultLocale: string
    }
    reply: {
      data: Environment
    }
  }
  /** What large sends of this environment are bounded by */
  'GET /v1/environment/large-sends': {
    reply: {
      data: LargeSends
    }
  }
  /** Change what large sends are bounded by; what is not given stays. Sends that have begun keep theirs */
  'PATCH /v1/environment/large-sends': {
    body: {
      /** Sends to at least so many people begin with a few of them; null: none does. */
      canaryFrom?: number | null
      canaryPercent?: number
      canaryAtLeast?: number
      /** Who lets it go on after the first people. */
      goesOn?: "person" | "time"
      goesOnAfterSeconds?: number
      /** Sends to at least so many people are stopped when too much fails; null: only those that begin small. */
      guardFrom?: number | null
      failuresPercent?: number
      complaintsPercent?: number
      /** Slow the environment down when it jumps far beyond its own past. */
      slowOnJumps?: boolean
    }
    reply: {
      data: LargeSends
    }
  }
  /** Make a new secret for hashes of the inbox, in place of the one before; it is shown only now */
  'POST /v1/environment/signing-secret': {
    reply: {
      data: {
        signingSecret: string
      }
    }
  }
  /** Create a variable of templates ({{env.KEY}}), with a value for each environment */
  'POST /v1/environment-variables': {
    body: {
      /** As templates say it: {{env.KEY}}. Letters, digits and underscores. */
      key: string
      type?: "string"
      /** It is masked in replies, for ever. */
      isSecret?: boolean
      /** One for each environment; those that are not named keep theirs. */
      values?: {
        _environmentId: string
        value: string
      }[]
    }
    reply: EnvironmentVariable
  }
  /** List the variables of templates, with their values in the environments that this key can get at */
  'GET /v1/environment-variables': {
    query?: {
      /** A part of the key, in any case. */
      search?: string
    }
    reply: EnvironmentVariable[]
  }
  /** Delete a variable of templates, in the environments that this key can get at */
  'DELETE /v1/environment-variables/{variableKey}': {
    path: {
      variableKey: string
    }
    reply: undefined
  }
  /** Retrieve a variable of templates; a secret is masked */
  'GET /v1/environment-variables/{variableKey}': {
    path: {
      variableKey: string
    }
    reply: EnvironmentVariable
  }
  /** Change a variable of templates; the next message has the new value */
  'PATCH /v1/environment-variables/{variableKey}': {
    path: {
      variableKey: string
    }
    body: {
      /** As templates say it: {{env.KEY}}. Letters, digits and underscores. */
      key?: string
      type?: "string"
      /** It is masked in replies, for ever. */
      isSecret?: boolean
      /** One for each environment; those that are not named keep theirs. */
      values?: {
        _environmentId: string
        value: string
      }[]
    }
    reply: EnvironmentVariable
  }
  /** The workflows of this environment that ask for a variable in a template or a condition */
  'GET /v1/environment-variables/{variableKey}/usage': {
    path: {
      variableKey: string
    }
    reply: {
      workflows: {
        name: string
        workflowId: string
      }[]
    }
  }
  /** Create an environment to publish to; it is empty and has no key yet */
  'POST /v1/environments': {
    body: {
      name: string
      /** As in #2563eb. */
      color: string
      /** What is published to it comes from there. */
      parentId?: string
    }
    reply: ListedEnvironment
  }
  /** List the environments that this key can get at: its own, or all of its organization; deleted ones last */
  'GET /v1/environments': {
    reply: ListedEnvironment[]
  }
  /** Delete an environment with all it holds: its keys stop within 5 seconds, its rows go after 7 days */
  'DELETE /v1/environments/{environmentId}': {
    path: {
      environmentId: string
    }
    reply: ListedEnvironment
  }
  /** Rename, colour or protect an environment; what is not given stays */
  'PUT /v1/environments/{environmentId}': {
    path: {
      environmentId: string
    }
    body: {
      name?: string
      /** As in #2563eb. */
      color?: string
      parentId?: string
      protected?: boolean
    }
    reply: ListedEnvironment
  }
  /** The environment that this request acts in */
  'GET /v1/environments/me': {
    reply: ListedEnvironment
  }
  /** Restore a deleted environment within its grace time: what waited goes on, and its keys work again */
  'POST /v1/environments/{environmentId}/restore': {
    path: {
      environmentId: string
    }
    reply: ListedEnvironment
  }
  /** Cancel a triggered event: whoever was not reached is not, and waiting steps do not run */
  'DELETE /v1/events/trigger/{transactionId}': {
    path: {
      transactionId: string
    }
    reply: CancelResult
  }
  /** What this event would do: who would get what through which integration, when, and why not. Nothing is sent */
  'POST /v1/events/explain': {
    body: TriggerEvent
    reply: Explanation
  }
  /** Trigger one event */
  'POST /v1/events/trigger': {
    body: TriggerEvent
    reply: TriggerResult
  }
  /** Trigger one event for every subscriber of the environment */
  'POST /v1/events/trigger/broadcast': {
    body: BroadcastEvent
    reply: TriggerResult
  }
  /** Trigger up to 100 events; each has its own result */
  'POST /v1/events/trigger/bulk': {
    body: {
      events: TriggerEvent[]
    }
    reply: TriggerResult[]
  }
  /** Make up to 500 subscribers what another service says of them: profile, channels, preferences, schedule. Says what changed */
  'POST /v1/import/subscribers': {
    body: {
      /** Only says what would be changed. */
      dryRun?: boolean
      subscribers: ({
        subscriberId: string
        firstName?: string | null
        lastName?: string | null
        email?: string | null
        phone?: string | null
        avatar?: string | null
        timezone?: string | null
        locale?: string | null
        data?: Record<string, unknown> | null
        schedule?: {
          isEnabled: boolean
          weeklySchedule?: {
            monday?: {
              isEnabled: boolean
              hours?: {
                start: string
                end: string
              }[]
            }
            tuesday?: {
              isEnabled: boolean
              hours?: {
                start: string
                end: string
              }[]
            }
            wednesday?: {
              isEnabled: boolean
              hours?: {
                start: string
                end: string
              }[]
            }
            thursday?: {
              isEnabled: boolean
              hours?: {
                start: string
                end: string
              }[]
            }
            friday?: {
              isEnabled: boolean
              hours?: {
                start: string
                end: string
              }[]
            }
            saturday?: {
              isEnabled: boolean
              hours?: {
                start: string
                end: string
              }[]
            }
            sunday?: {
              isEnabled: boolean
              hours?: {
                start: string
                end: string
              }[]
            }
          }
        }
        channels?: {
          providerId: string
          integrationIdentifier?: string
          credentials: ChannelCredentials
        }[]
        preferences?: ({
          /** Of a workflow: workflowId, _id or slug. */
          workflowId?: string
          enabled?: boolean | null
          channels?: {
            in_app?: boolean | null
            email?: boolean | null
            sms?: boolean | null
            chat?: boolean | null
            push?: boolean | null
          }
        })[]
      })[]
    }
    reply: ImportedSubscribers
  }
  /** Make up to 500 topics, with up to 1,000 members, what another service says of them. Says what changed */
  'POST /v1/import/topics': {
    body: {
      /** Only says what would be changed. */
      dryRun?: boolean
      topics: ({
        key: string
        name?: string
        members?: ({
          subscriberId: string
          identifier?: string
          name?: string | null
          contextKeys?: string[]
          preferences?: {
            workflowId: string
            enabled: boolean
            /** JSON Logic. */
            condition?: unknown
          }[]
        })[]
      })[]
    }
    reply: ImportedTopics
  }
  /** List the active integrations */
  'GET /v1/integrations/active': {
    reply: Integration[]
  }
  /** Whether the vendor calls back, and what it told last */
  'GET /v1/integrations/{integrationId}/callbacks': {
    path: {
      integrationId: string
    }
    reply: Callbacks
  }
  /** Create an integration in the environment of the API key */
  'POST /v1/integrations': {
    body: CreateIntegration
    reply: Integration
  }
  /** List all integrations */
  'GET /v1/integrations': {
    reply: Integration[]
  }
  /** Delete an integration for good; the reply lists those that remain */
  'DELETE /v1/integrations/{integrationId}': {
    path: {
      integrationId: string
    }
    reply: Integration[]
  }
  /** Update an integration: fields left out stay, a null credential is cleared */
  'PUT /v1/integrations/{integrationId}': {
    path: {
      integrationId: string
    }
    body: UpdateIntegration
    reply: Integration
  }
  /** Make an active e-mail or SMS integration the default of its channel */
  'POST /v1/integrations/{integrationId}/set-primary': {
    path: {
      integrationId: string
    }
    reply: Integration
  }
  /** Send a real message through an integration, active or not, and see the provider's own answer */
  'POST /v1/integrations/{integrationId}/test': {
    path: {
      integrationId: string
    }
    body: TestIntegration
    reply: IntegrationTest
  }
  /** Tell the vendor of a bot where to call (Telegram) */
  'POST /v1/integrations/{integrationIdentifier}/webhook/configure': {
    path: {
      integrationIdentifier: string
    }
    reply: {
      webhookUrl: string
      configuredAt: string
      botUsername: string
    }
  }
  /** List the invitations that nobody has accepted, and what became of their mails */
  'GET /v1/members/invitations': {
    reply: {
      data: Invitation[]
    }
  }
  /** Invite somebody by their e-mail address; the link is shown this once, and mailed where a mail can be sent */
  'POST /v1/members/invitations': {
    body: {
      email: string
      /** In the organization, and in each environment that is not named; null: only in those that are. */
      role: "owner" | "admin" | "author" | "operator" | "viewer" | null
      environments?: ({
        environmentId: string
        /** Null: nothing there. */
        role: "admin" | "author" | "operator" | "viewer" | null
      })[]
    }
    reply: NewInvitation
  }
  /** List the people of the organization and what they are in it */
  'GET /v1/members': {
    reply: {
      data: Member[]
    }
  }
  /** Who acts: a key by its name, or whoever is signed in */
  'GET /v1/users/me': {
    reply: WhoActs
  }
  /** Remove somebody from the organization; their sessions end with it */
  'DELETE /v1/members/{personId}': {
    path: {
      personId: string
    }
    reply: undefined
  }
  /** Change what somebody is, everywhere or by environment; what is not sent stays */
  'PATCH /v1/members/{personId}': {
    path: {
      personId: string
    }
    body: {
      /** In the organization, and in each environment that is not named; null: only in those that are. */
      role?: "owner" | "admin" | "author" | "operator" | "viewer" | null
      environments?: ({
        environmentId: string
        /** Null: nothing there. */
        role: "admin" | "author" | "operator" | "viewer" | null
      })[]
    }
    reply: Member
  }
  /** A new link for an invitation, for another week; the one before opens nothing */
  'POST /v1/members/invitations/{invitationId}/renew': {
    path: {
      invitationId: string
    }
    reply: NewInvitation
  }
  /** Take an invitation back: its link opens nothing */
  'DELETE /v1/members/invitations/{invitationId}': {
    path: {
      invitationId: string
    }
    reply: undefined
  }
  /** Delete a message */
  'DELETE /v1/messages/{messageId}': {
    path: {
      messageId: string
    }
    reply: DeleteResult
  }
  /** Delete the messages of an event that exist: 500 before the reply, the others soon after. To stop it, cancel it first */
  'DELETE /v1/messages/transaction/{transactionId}': {
    path: {
      transactionId: string
    }
    query?: {
      channel?: "in_app" | "email" | "sms" | "chat" | "push"
    }
    reply: undefined
  }
  /** List messages, newest first */
  'GET /v1/messages': {
    query?: ListMessages
    reply: MessagePage
  }
  /** Retrieve a triggered event with its steps, their history and what they generated */
  'GET /v1/notifications/{notificationId}': {
    path: {
      notificationId: string
    }
    reply: Activity
  }
  /** List triggered events, newest first */
  'GET /v1/notifications': {
    query?: ListActivities
    reply: ActivityPage
  }
  /** The messages of a triggered event as the person saw them, with every try at sending them */
  'GET /v1/notifications/{notificationId}/messages': {
    path: {
      notificationId: string
    }
    reply: {
      data: SentMessage[]
    }
  }
  /** What is wrong right now, what to do about it, and where to look */
  'GET /v1/numbers/now': {
    reply: NumbersNow
  }
  /** What happened, counted over time: events, messages and steps by outcome, channel, workflow and provider */
  'GET /v1/numbers': {
    query?: {
      /** ISO 8601; the last 24 hours unless said. */
      from?: string
      /** ISO 8601; the last 24 hours unless said. */
      to?: string
      step?: "minute" | "hour" | "day"
      /** What tells series apart, besides the outcome. */
      by?: ("channel" | "workflow" | "provider" | "outcome")[]
      channel?: "in_app" | "email" | "sms" | "chat" | "push"
      workflowId?: string
      providerId?: string
      outcome?: "accepted" | "notified" | "sent" | "failed" | "unknown" | "retried" | "skipped" | "merged" | "canceled" | "redriven" | "delivered" | "bounced" | "complained"
    }
    reply: Numbers
  }
  /** The organization: its name, what sends its own mails, and what it asks of those who sign in */
  'GET /v1/organization': {
    reply: Organization
  }
  /** Change the organization; what is not sent stays. Its mails and who may use passwords: owners only */
  'PATCH /v1/organization': {
    body: {
      name?: string
      /** The e-mail integration that sends invitations and resets. From then on only owners change it. */
      mail?: {
        environmentId: string
        integrationId: string
      } | null
      /** Whoever comes by a password and has no second proof is let in only to set one up. */
      requireTwoFactor?: boolean
      /** owners-only: everybody else comes in by a sign-in connection. */
      passwords?: "allowed" | "owners-only"
    }
    reply: Organization
  }
  /** What the organization of this key is called */
  'GET /v1/organizations/me': {
    reply: OrganizationName
  }
  /** All providers that integrations can be made of, with the credentials each asks for */
  'GET /v1/providers': {
    reply: {
      data: Provider[]
    }
  }
  /** A publication, and line by line what it changed */
  'GET /v1/publications/{publicationId}': {
    path: {
      publicationId: string
    }
    reply: PublicationDetail
  }
  /** List what was published to this environment */
  'GET /v1/publications': {
    query?: {
      /** Fetch what follows this cursor. */
      after?: string
      /** Fetch what precedes this cursor. */
      before?: string
      limit?: number
      orderDirection?: "ASC" | "DESC"
      orderBy?: "_id" | "createdAt"
      /** Include the item the cursor stands on. */
      includeCursor?: boolean
    }
    reply: {
      data: Publication[]
      next: string | null
      previous: string | null
      totalCount: number
      totalCountCapped: boolean
    }
  }
  /** Make the environment what it was after a publication, or before it */
  'POST /v1/publications/{publicationId}/restore': {
    path: {
      publicationId: string
    }
    body: {
      /** By default the state after it. */
      state?: "before" | "after"
      /** Only says what would be done. */
      dryRun?: boolean
      /** Of the diff that was shown: what differs from it is refused with 409. */
      fingerprint?: string
      /** Why: it is kept with the publication. */
      note?: string
    }
    reply: PublishedEnvironment
  }
  /** Cancel an event, also a paused one: nothing of it begins any more, and what was not sent is taken back */
  'POST /v1/sends/{transactionId}/cancel': {
    path: {
      transactionId: string
    }
    body: {
      /** Why; shown with it. */
      note?: string
    }
    reply: {
      data: Send
    }
  }
  /** How far an event has come: people, messages by what became of them, and why it stands */
  'GET /v1/sends/{transactionId}': {
    path: {
      transactionId: string
    }
    reply: {
      data: Send
    }
  }
  /** List events to more than 300 people, and others that somebody paused, newest first */
  'GET /v1/sends': {
    query?: {
      /** open: all that are not over. */
      state?: "open" | "running" | "canary" | "waiting" | "paused" | "canceling" | "canceled" | "done"
      page?: number
      limit?: number
    }
    reply: {
      data: Send[]
      hasMore: boolean
      pageSize: number
      page: number
      totalCount?: number
    }
  }
  /** Let an event stand still: once this is answered, nothing of it begins until it is resumed */
  'POST /v1/sends/{transactionId}/pause': {
    path: {
      transactionId: string
    }
    body: {
      /** Why; shown with it. */
      note?: string
    }
    reply: {
      data: Send
    }
  }
  /** Let an event go on: one that was paused, or whose first people are through */
  'POST /v1/sends/{transactionId}/resume': {
    path: {
      transactionId: string
    }
    body: {
      /** false: from now on only a person stops it. */
      guard?: boolean
    }
    reply: {
      data: Send
    }
  }
  /** Ask the issuer of a sign-in connection what it is, and say what would keep people out */
  'POST /v1/organization/sign-in-connections/{connectionId}/check': {
    path: {
      connectionId: string
    }
    reply: CheckedSignInConnection
  }
  /** Let people come in by an issuer (OpenID Connect) */
  'POST /v1/organization/sign-in-connections': {
    body: {
      /** As the button at the sign-in says: Continue with … */
      name: string
      /** As the issuer calls itself; begins with https. */
      issuer: string
      /** What the issuer calls this installation. */
      clientId: string
      /** Never shown again. */
      clientSecret: string
      /** It vouches for e-mail addresses of these alone; subdomains are others. */
      domains: string[]
      /** What is asked of the issuer besides openid; usually email and profile. */
      scopes?: string[]
      /** Its issuer never says that it has checked an address, but people cannot choose theirs there. */
      trustsEmail?: boolean
      /** Where the issuer names the groups of a person, such as groups or realm_access.roles. */
      groupsClaim?: string | null
      /** In order: the first group that somebody is in says what they are. */
      groupRoles?: ({
        group: string
        role: "owner" | "admin" | "author" | "operator" | "viewer"
      })[]
      /** For those in none of the groups; null: they may not come in. */
      defaultRole?: "owner" | "admin" | "author" | "operator" | "viewer" | null
      /** Whoever it vouches for becomes a member; otherwise only who was invited. */
      joins?: boolean
      /** Off: nobody comes in by it, and whoever did is signed out. */
      active?: boolean
    }
    reply: SignInConnection
  }
  /** List the issuers that vouch for people of the organization (OpenID Connect), without their secrets */
  'GET /v1/organization/sign-in-connections': {
    reply: {
      data: SignInConnection[]
      /** To register at the issuers. Null: PUBLIC_URL is not set, and nobody can come in. */
      redirectUri: string | null
    }
  }
  /** Delete a sign-in connection: whoever came in by it is signed out */
  'DELETE /v1/organization/sign-in-connections/{connectionId}': {
    path: {
      connectionId: string
    }
    reply: undefined
  }
  /** Change a sign-in connection; what is not sent stays. Another issuer or client ends its sessions */
  'PATCH /v1/organization/sign-in-connections/{connectionId}': {
    path: {
      connectionId: string
    }
    body: {
      /** As the button at the sign-in says: Continue with … */
      name?: string
      /** As the issuer calls itself; begins with https. */
      issuer?: string
      /** What the issuer calls this installation. */
      clientId?: string
      /** Never shown again. */
      clientSecret?: string
      /** What is asked of the issuer besides openid; usually email and profile. */
      scopes?: string[]
      /** It vouches for e-mail addresses of these alone; subdomains are others. */
      domains?: string[]
      /** Its issuer never says that it has checked an address, but people cannot choose theirs there. */
      trustsEmail?: boolean
      /** Where the issuer names the groups of a person, such as groups or realm_access.roles. */
      groupsClaim?: string | null
      /** In order: the first group that somebody is in says what they are. */
      groupRoles?: ({
        group: string
        role: "owner" | "admin" | "author" | "operator" | "viewer"
      })[]
      /** For those in none of the groups; null: they may not come in. */
      defaultRole?: "owner" | "admin" | "author" | "operator" | "viewer" | null
      /** Whoever it vouches for becomes a member; otherwise only who was invited. */
      joins?: boolean
      /** Off: nobody comes in by it, and whoever did is signed out. */
      active?: boolean
    }
    reply: SignInConnection
  }
  /** Create or update up to 500 subscribers; one bad entry does not stop the others */
  'POST /v1/subscribers/bulk': {
    body: {
      subscribers: Record<string, unknown>[]
    }
    reply: CreateSubscribersResult
  }
  /** Append channel credentials. A provider without an integration gets one: active if it needs no credentials, else off until they are there */
  'PATCH /v1/subscribers/{subscriberId}/credentials': {
    path: {
      subscriberId: string
    }
    body: {
      providerId: "slack" | "discord" | "msteams" | "mattermost" | "ryver" | "zulip" | "grafana-on-call" | "getstream" | "rocket-chat" | "whatsapp-business" | "chat-webhook" | "platform-slack" | "fcm" | "apns" | "expo" | "one-signal" | "pushpad" | "push-webhook" | "pusher-beams" | "appio"
      integrationIdentifier?: string
      credentials: ChannelCredentials
    }
    reply: Subscriber
  }
  /** Set channel credentials; device tokens are appended. A provider without an integration gets one: active if it needs no credentials, else off until they are there */
  'PUT /v1/subscribers/{subscriberId}/credentials': {
    path: {
      subscriberId: string
    }
    body: SetSubscriberCredentials
    reply: Subscriber
  }
  /** Forget the credentials a subscriber has for one provider */
  'DELETE /v1/subscribers/{subscriberId}/credentials/{providerId}': {
    path: {
      subscriberId: string
      providerId: string
    }
    reply: undefined
  }
  /** Forget some device tokens of a subscriber; the others stay, and one that is not known is no fault */
  'DELETE /v1/subscribers/{subscriberId}/credentials/{providerId}/device-tokens': {
    path: {
      subscriberId: string
      providerId: string
    }
    body: {
      deviceTokens: string[]
    }
    reply: Subscriber
  }
  /** Note that a button (`primary` or `secondary`) of an in-app message was pressed, or take that back */
  'POST /v1/subscribers/{subscriberId}/messages/{messageId}/actions/{type}': {
    path: {
      subscriberId: string
      messageId: string
      type: string
    }
    body: {
      status: "pending" | "done"
      payload?: Record<string, unknown>
    }
    reply: Message
  }
  /** Mark everything in the feed as seen, unseen, read or unread */
  'POST /v1/subscribers/{subscriberId}/messages/mark-all': {
    path: {
      subscriberId: string
    }
    body: {
      markAs: "read" | "seen" | "unread" | "unseen"
      /** Messages are in no named feed here: naming one marks none. */
      feedIdentifier?: string | string[]
    }
    reply: number
  }
  /** Mark a subscriber's in-app messages as seen, unseen, read or unread */
  'POST /v1/subscribers/{subscriberId}/messages/mark-as': {
    path: {
      subscriberId: string
    }
    body: {
      messageId: string | string[]
      markAs: "read" | "seen" | "unread" | "unseen"
    }
    reply: Message[]
  }
  /** Count what is unread in the feed, up to the limit */
  'GET /v1/subscribers/{subscriberId}/notifications/unread': {
    path: {
      subscriberId: string
    }
    query?: {
      /** Counting stops here. */
      limit?: number
      /** True counts what is read. */
      read?: boolean
    }
    reply: {
      count: number
    }
  }
  /** Count what is unseen in the feed, up to the limit */
  'GET /v1/subscribers/{subscriberId}/notifications/unseen': {
    path: {
      subscriberId: string
    }
    query?: {
      /** Counting stops here. */
      limit?: number
      /** True counts what is seen. */
      seen?: boolean
    }
    reply: {
      count: number
    }
  }
  /** Retrieve a subscriber's in-app feed, newest first */
  'GET /v1/subscribers/{subscriberId}/notifications/feed': {
    path: {
      subscriberId: string
    }
    query?: {
      page?: number
      limit?: number
      read?: boolean
      seen?: boolean
      archived?: boolean
      snoozed?: boolean
      /** Base64 of a partial payload, as JSON. */
      payload?: string
    }
    reply: {
      data: FeedItem[]
      hasMore: boolean
      pageSize: number
      page: number
      totalCount?: number
    }
  }
  /** Say whether a subscriber is online */
  'PATCH /v1/subscribers/{subscriberId}/online-status': {
    path: {
      subscriberId: string
    }
    body: {
      isOnline: boolean
    }
    reply: Subscriber
  }
  /** Put an address on the suppression list; one that is there stays as it is */
  'POST /v1/suppressions': {
    body: {
      channel: "email" | "sms"
      address: string
      reason?: "bounced" | "complained" | "unsubscribed"
    }
    reply: Suppression
  }
  /** List the addresses nothing is sent to, by channel and address */
  'GET /v1/suppressions': {
    query?: {
      channel?: "email" | "sms"
      /** The whole address, in any case. */
      address?: string
      page?: number
      limit?: number
    }
    reply: {
      data: Suppression[]
      hasMore: boolean
      pageSize: number
      page: number
      totalCount?: number
    }
  }
  /** Take an address off the suppression list */
  'DELETE /v1/suppressions/{channel}/{address}': {
    path: {
      channel: string
      address: string
    }
    reply: undefined
  }
  /** Create a tenant */
  'POST /v1/tenants': {
    body: {
      identifier: string
      name?: string | null
      data?: Record<string, unknown> | null
    }
    reply: Tenant
  }
  /** List tenants, newest first */
  'GET /v1/tenants': {
    query?: {
      page?: number
      limit?: number
    }
    reply: {
      data: Tenant[]
      hasMore: boolean
      pageSize: number
      page: number
      totalCount?: number
    }
  }
  /** Delete a tenant */
  'DELETE /v1/tenants/{identifier}': {
    path: {
      identifier: string
    }
    reply: undefined
  }
  /** Retrieve a tenant */
  'GET /v1/tenants/{identifier}': {
    path: {
      identifier: string
    }
    reply: Tenant
  }
  /** Update a tenant */
  'PATCH /v1/tenants/{identifier}': {
    path: {
      identifier: string
    }
    body: {
      identifier?: string
      name?: string | null
      data?: Record<string, unknown> | null
    }
    reply: Tenant
  }
  /** Check whether a subscriber is subscribed to a topic */
  'GET /v1/topics/{topicKey}/subscribers/{externalSubscriberId}': {
    path: {
      topicKey: string
      externalSubscriberId: string
    }
    reply: {
      _organizationId: string
      _environmentId: string
      _subscriberId: string
      _topicId: string
      topicKey: string
      externalSubscriberId: string
    }
  }
  /** Add a server of yours that is told what happens; the reply shows its signing secret, once */
  'POST /v1/webhook-endpoints': {
    body: {
      /** http or https; private addresses are refused. */
      url: string
      description?: string | null
      /** What it is told of; null: everything, also what later versions tell of. */
      eventTypes?: ("message.sent" | "message.failed" | "message.delivered" | "message.bounced" | "message.complained" | "message.seen" | "message.read" | "message.unread" | "message.archived" | "message.unarchived" | "message.snoozed" | "message.unsnoozed" | "message.deleted" | "notification.completed" | "preference.updated" | "subscriber.created" | "subscriber.updated" | "subscriber.deleted" | "workflow.created" | "workflow.updated" | "workflow.deleted" | "workflow.published")[] | null
    }
    reply: WebhookEndpointWithSecret
  }
  /** List webhook endpoints */
  'GET /v1/webhook-endpoints': {
    query?: {
      /** Fetch what follows this cursor. */
      after?: string
      /** Fetch what precedes this cursor. */
      before?: string
      limit?: number
      orderDirection?: "ASC" | "DESC"
      orderBy?: "_id" | "createdAt" | "updatedAt"
      /** Include the item the cursor stands on. */
      includeCursor?: boolean
    }
    reply: {
      data: WebhookEndpoint[]
      next: string | null
      previous: string | null
      totalCount: number
      totalCountCapped: boolean
    }
  }
  /** Delete a webhook endpoint; what it was to be told is dropped */
  'DELETE /v1/webhook-endpoints/{endpointId}': {
    path: {
      endpointId: string
    }
    reply: undefined
  }
  /** Get a webhook endpoint */
  'GET /v1/webhook-endpoints/{endpointId}': {
    path: {
      endpointId: string
    }
    reply: WebhookEndpoint
  }
  /** Change a webhook endpoint, disable it, or enable it again */
  'PATCH /v1/webhook-endpoints/{endpointId}': {
    path: {
      endpointId: string
    }
    body: {
      /** http or https; private addresses are refused. */
      url?: string
      description?: string | null
      /** What it is told of; null: everything, also what later versions tell of. */
      eventTypes?: ("message.sent" | "message.failed" | "message.delivered" | "message.bounced" | "message.complained" | "message.seen" | "message.read" | "message.unread" | "message.archived" | "message.unarchived" | "message.snoozed" | "message.unsnoozed" | "message.deleted" | "notification.completed" | "preference.updated" | "subscriber.created" | "subscriber.updated" | "subscriber.deleted" | "workflow.created" | "workflow.updated" | "workflow.deleted" | "workflow.published")[] | null
      status?: "enabled" | "disabled"
    }
    reply: WebhookEndpoint
  }
  /** List what a webhook endpoint was told or is to be told, with the tries and their replies */
  'GET /v1/webhook-endpoints/{endpointId}/deliveries': {
    path: {
      endpointId: string
    }
    query?: {
      /** Fetch what follows this cursor. */
      after?: string
      /** Fetch what precedes this cursor. */
      before?: string
      limit?: number
      orderDirection?: "ASC" | "DESC"
      orderBy?: "_id" | "createdAt"
      /** Include the item the cursor stands on. */
      includeCursor?: boolean
      status?: "open" | "delivered" | "failed"
      type?: "message.sent" | "message.failed" | "message.delivered" | "message.bounced" | "message.complained" | "message.seen" | "message.read" | "message.unread" | "message.archived" | "message.unarchived" | "message.snoozed" | "message.unsnoozed" | "message.deleted" | "notification.completed" | "preference.updated" | "subscriber.created" | "subscriber.updated" | "subscriber.deleted" | "workflow.created" | "workflow.updated" | "workflow.deleted" | "workflow.published" | "endpoint.test"
      /** Events of this time and later, as ISO 8601. */
      since?: string
      /** And before this time. */
      until?: string
    }
    reply: {
      data: WebhookDelivery[]
      next: string | null
      previous: string | null
      totalCount: number
      totalCountCapped: boolean
    }
  }
  /** Get one event for a webhook endpoint, with the tries and their replies */
  'GET /v1/webhook-endpoints/{endpointId}/deliveries/{eventId}': {
    path: {
      endpointId: string
      eventId: string
    }
    reply: WebhookDelivery
  }
  /** Send the events of a span of time to a webhook endpoint again */
  'POST /v1/webhook-endpoints/{endpointId}/replay': {
    path: {
      endpointId: string
    }
    body: {
      /** Events of this time and later, as ISO 8601. */
      since: string
      /** And before this time; by default until now. */
      until?: string
      /** `failed`, by default: what was given up. `all`: also what arrived. */
      status?: "failed" | "all"
      /** The `next` of the reply before, to go on. */
      after?: string
    }
    reply: {
      replayed: number
      /** There are more than 5,000: give it as `after` to go on. */
      next: string | null
    }
  }
  /** Send one event to a webhook endpoint again, by the same webhook-id */
  'POST /v1/webhook-endpoints/{endpointId}/deliveries/{eventId}/replay': {
    path: {
      endpointId: string
      eventId: string
    }
    reply: WebhookDelivery
  }
  /** Give a webhook endpoint a new signing secret; for a while the old one signs beside it */
  'POST /v1/webhook-endpoints/{endpointId}/rotate-secret': {
    path: {
      endpointId: string
    }
    body: {
      /** How long both sign. */
      overlapHours?: number
    }
    reply: WebhookEndpointWithSecret
  }
  /** Send a webhook endpoint an event of type endpoint.test */
  'POST /v1/webhook-endpoints/{endpointId}/test': {
    path: {
      endpointId: string
    }
    reply: WebhookDelivery
  }
  /** Create a context: what a type and an id stand for, with data for templates */
  'POST /v2/contexts': {
    body: {
      /** What it is: tenant, app, region. Without ":". */
      type: string
      /** Which one of its type. */
      id: string
      data?: Record<string, unknown>
    }
    reply: Context
  }
  /** List contexts */
  'GET /v2/contexts': {
    query?: {
      /** Fetch what follows this cursor. */
      after?: string
      /** Fetch what precedes this cursor. */
      before?: string
      limit?: number
      orderDirection?: "ASC" | "DESC"
      orderBy?: "_id" | "createdAt" | "updatedAt"
      /** Include the item the cursor stands on. */
      includeCursor?: boolean
      /** Exactly this id, of any type. */
      id?: string
      /** A part of the type or of the id. */
      search?: string
    }
    reply: {
      data: Context[]
      next: string | null
      previous: string | null
      totalCount: number
      totalCountCapped: boolean
    }
  }
  /** Delete a context; events and messages keep its name */
  'DELETE /v2/contexts/{type}/{id}': {
    path: {
      type: string
      id: string
    }
    reply: undefined
  }
  /** Retrieve a context */
  'GET /v2/contexts/{type}/{id}': {
    path: {
      type: string
      id: string
    }
    reply: Context
  }
  /** Replace the data of a context; the next message has it */
  'PATCH /v2/contexts/{type}/{id}': {
    path: {
      type: string
      id: string
    }
    body: {
      data: Record<string, unknown>
    }
    reply: Context
  }
  /** What publishing to an environment would change there, line by line */
  'POST /v2/environments/{targetEnvironmentId}/diff': {
    path: {
      targetEnvironmentId: string
    }
    body: {
      /** By default the environment that the target is published from. */
      sourceEnvironmentId?: string
      /** Only these, and what they depend on. */
      resources?: {
        /** workflow, layout, translation or setting. Any other word: whatever has this id, workflows first. */
        resourceType?: string
        resourceId: string
      }[]
    }
    reply: EnvironmentDiff
  }
  /** Publish workflows, layouts and translations to an environment: all of it at once, or nothing */
  'POST /v2/environments/{targetEnvironmentId}/publish': {
    path: {
      targetEnvironmentId: string
    }
    body: {
      /** By default the environment that the target is published from. */
      sourceEnvironmentId?: string
      /** Only says what would be done. */
      dryRun?: boolean
      /** Only these, and what they depend on. */
      resources?: {
        /** workflow, layout, translation or setting. Any other word: whatever has this id, workflows first. */
        resourceType?: string
        resourceId: string
      }[]
      /** Of the diff that was shown: what differs from it is refused with 409. */
      fingerprint?: string
      /** Why: it is kept with the publication. */
      note?: string
    }
    reply: PublishedEnvironment
  }
  /** List the tags of the workflows of an environment */
  'GET /v2/environments/{environmentId}/tags': {
    path: {
      environmentId: string
    }
    reply: {
      name: string
    }[]
  }
  /** Create a layout: what stands around the bodies of e-mails */
  'POST /v2/layouts': {
    body: {
      layoutId: string
      name: string
      isTranslationEnabled?: boolean
      /** Around every e-mail whose step names no layout. The one that was it is so no longer. */
      isDefault?: boolean
      controlValues?: {
        email?: {
          body?: string | Record<string, unknown> | null
          editorType?: "html" | "block"
        } | null
      } | null
      /** Clients send it; it says nothing here. */
      __source?: string
    }
    reply: Layout
  }
  /** List layouts */
  'GET /v2/layouts': {
    query?: {
      limit?: number
      offset?: number
      /** A part of the name or layoutId, case-sensitive. */
      query?: string
      orderBy?: "createdAt" | "updatedAt" | "name"
      orderDirection?: "ASC" | "DESC"
    }
    reply: {
      layouts: Layout[]
      totalCount: number
    }
  }
  /** Delete a layout that is not the default, and that no workflow names */
  'DELETE /v2/layouts/{layoutId}': {
    path: {
      layoutId: string
    }
    reply: undefined
  }
  /** Retrieve a layout by its layoutId or _id */
  'GET /v2/layouts/{layoutId}': {
    path: {
      layoutId: string
    }
    reply: Layout
  }
  /** Change a layout; what runs already goes on with the one it began with */
  'PUT /v2/layouts/{layoutId}': {
    path: {
      layoutId: string
    }
    body: {
      name: string
      isTranslationEnabled?: boolean
      /** Around every e-mail whose step names no layout. The one that was it is so no longer. */
      isDefault?: boolean
      controlValues?: {
        email?: {
          body?: string | Record<string, unknown> | null
          editorType?: "html" | "block"
        } | null
      } | null
    }
    reply: Layout
  }
  /** Copy a layout, without its translations; the copy is not the default */
  'POST /v2/layouts/{layoutId}/duplicate': {
    path: {
      layoutId: string
    }
    body: {
      name: string
      layoutId?: string
      isTranslationEnabled?: boolean
    }
    reply: Layout
  }
  /** A layout as one person would see it around an e-mail; nothing is sent */
  'POST /v2/layouts/{layoutId}/preview': {
    path: {
      layoutId: string
    }
    body: {
      controlValues?: Record<string, unknown> | null
      /** HTML in place of the sample, a template as in a step. */
      content?: string
      /** A person whose stored profile is used. */
      subscriberId?: string
      previewPayload?: {
        /** Fields that stand over those of the stored profile. */
        subscriber?: Record<string, unknown>
        /** As an event would carry it. */
        payload?: Record<string, unknown>
        /** Fields of whoever caused the event. */
        actor?: Record<string, unknown>
        /** Fields of the tenant. */
        tenant?: Record<string, unknown>
        /** The contexts by type: an id, or `{ id, data }`. Without `data`, what is stored is used. */
        context?: Record<string, unknown>
        /** `events`: payloads that a digest before the step has gathered. */
        steps?: Record<string, unknown>
      }
    }
    reply: LayoutPreview
  }
  /** The workflows that name a layout; of the default also those with an e-mail that names none */
  'GET /v2/layouts/{layoutId}/usage': {
    path: {
      layoutId: string
    }
    reply: {
      workflows: {
        name: string
        workflowId: string
      }[]
    }
  }
  /** Create a subscriber, or update the one with this subscriberId */
  'POST /v2/subscribers': {
    query?: CreateSubscriberOptions
    body: CreateSubscriber
    reply: Subscriber
  }
  /** Search subscribers */
  'GET /v2/subscribers': {
    query?: ListSubscribers
    reply: SubscriberPage
  }
  /** Delete a subscriber and erase profile, credentials, topic memberships and the contents of history */
  'DELETE /v2/subscribers/{subscriberId}': {
    path: {
      subscriberId: string
    }
    reply: DeleteResult
  }
  /** Retrieve a subscriber */
  'GET /v2/subscribers/{subscriberId}': {
    path: {
      subscriberId: string
    }
    reply: Subscriber
  }
  /** Update a subscriber: fields left out stay, null clears */
  'PATCH /v2/subscribers/{subscriberId}': {
    path: {
      subscriberId: string
    }
    body: UpdateSubscriber
    reply: Subscriber
  }
  /** Everything this service holds about one subscriber, the history page by page, oldest first */
  'GET /v2/subscribers/{subscriberId}/export': {
    path: {
      subscriberId: string
    }
    query?: {
      /** The `next` of the page before. */
      after?: string
      /** Of notifications, and of messages. */
      limit?: number
    }
    reply: {
      exportedAt: string
      subscriber: Subscriber
      /** On the first page. */
      topicSubscriptions: TopicSubscription[]
      /** What was chosen in them. On the first page. */
      subscriptions: Subscription[]
      /** Where they are reached. On the first page. */
      channelEndpoints: ChannelEndpoint[]
      preferences: ExportedPreferences
      notifications: Activity[]
      messages: Message[]
      /** Ask again with it as `after`; null: this was the last page. */
      next: string | null
    }
  }
  /** Open a known subscriber's inbox without a hash: a token for the inbox routes that ends with this key */
  'POST /v2/subscribers/{subscriberId}/inbox-session': {
    path: {
      subscriberId: string
    }
    query?: {
      /** A token that can change nothing, and does not make the person online. */
      lookOnly?: boolean
    }
    reply: {
      data: InboxSession
    }
  }
  /** Archive an in-app notification: the feed shows it no more unless asked */
  'PATCH /v2/subscribers/{subscriberId}/notifications/{notificationId}/archive': {
    path: {
      subscriberId: string
      notificationId: string
    }
    query?: {
      contextKeys?: string[]
    }
    reply: InboxNotification
  }
  /** Archive everything in the feed, or what the filter finds of it */
  'POST /v2/subscribers/{subscriberId}/notifications/archive': {
    path: {
      subscriberId: string
    }
    body: {
      /** One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
      tags?: string[] | {
        or?: string[]
        and?: {
          or: string[]
        }[]
      }
      /** A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
      data?: string
      contextKeys?: string[]
    }
    reply: undefined
  }
  /** Archive what is read in the feed, or what the filter finds of it */
  'POST /v2/subscribers/{subscriberId}/notifications/read-archive': {
    path: {
      subscriberId: string
    }
    body: {
      /** One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
      tags?: string[] | {
        or?: string[]
        and?: {
          or: string[]
        }[]
      }
      /** A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
      data?: string
      contextKeys?: string[]
    }
    reply: undefined
  }
  /** Note that a button (`primary` or `secondary`) was pressed; the notification is then read */
  'PATCH /v2/subscribers/{subscriberId}/notifications/{notificationId}/actions/{type}/complete': {
    path: {
      subscriberId: string
      notificationId: string
      type: string
    }
    query?: {
      contextKeys?: string[]
    }
    reply: InboxNotification
  }
  /** Count in-app notifications by up to 30 filters; each count stops at 50,000 */
  'GET /v2/subscribers/{subscriberId}/notifications/count': {
    path: {
      subscriberId: string
    }
    query: {
      /** A list of filters as JSON, such as [{"read":false},{"seen":false}]. */
      filters: string
    }
    reply: {
      count: number
      filter: Record<string, unknown>
    }[]
  }
  /** Delete an in-app notification for good */
  'DELETE /v2/subscribers/{subscriberId}/notifications/{notificationId}': {
    path: {
      subscriberId: string
      notificationId: string
    }
    query?: {
      contextKeys?: string[]
    }
    reply: undefined
  }
  /** Delete all in-app notifications, archived and snoozed ones too, or what the filter finds, for good */
  'POST /v2/subscribers/{subscriberId}/notifications/delete': {
    path: {
      subscriberId: string
    }
    body: {
      /** One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
      tags?: string[] | {
        or?: string[]
        and?: {
          or: string[]
        }[]
      }
      /** A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
      data?: string
      contextKeys?: string[]
    }
    reply: undefined
  }
  /** List a subscriber's in-app notifications, newest first */
  'GET /v2/subscribers/{subscriberId}/notifications': {
    path: {
      subscriberId: string
    }
    query?: ListSubscriberNotifications
    reply: SubscriberNotificationPage
  }
  /** Mark everything in the feed, or what the filter finds of it, as read */
  'POST /v2/subscribers/{subscriberId}/notifications/read': {
    path: {
      subscriberId: string
    }
    body: {
      /** One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
      tags?: string[] | {
        or?: string[]
        and?: {
          or: string[]
        }[]
      }
      /** A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
      data?: string
      contextKeys?: string[]
    }
    reply: undefined
  }
  /** Mark an in-app notification as read, and so as seen */
  'PATCH /v2/subscribers/{subscriberId}/notifications/{notificationId}/read': {
    path: {
      subscriberId: string
      notificationId: string
    }
    query?: {
      contextKeys?: string[]
    }
    reply: InboxNotification
  }
  /** Mark the named in-app notifications as seen, or else what the filter finds in the feed */
  'POST /v2/subscribers/{subscriberId}/notifications/seen': {
    path: {
      subscriberId: string
    }
    body: {
      notificationIds?: string[]
      /** One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
      tags?: string[] | {
        or?: string[]
        and?: {
          or: string[]
        }[]
      }
      /** A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
      data?: string
      contextKeys?: string[]
    }
    reply: undefined
  }
  /** Mark an in-app notification as unread; it stays seen */
  'PATCH /v2/subscribers/{subscriberId}/notifications/{notificationId}/unread': {
    path: {
      subscriberId: string
      notificationId: string
    }
    query?: {
      contextKeys?: string[]
    }
    reply: InboxNotification
  }
  /** Take back that a button was pressed */
  'PATCH /v2/subscribers/{subscriberId}/notifications/{notificationId}/actions/{type}/revert': {
    path: {
      subscriberId: string
      notificationId: string
      type: string
    }
    query?: {
      contextKeys?: string[]
    }
    reply: InboxNotification
  }
  /** Take an in-app notification out of the feed until a time; then it is delivered again */
  'PATCH /v2/subscribers/{subscriberId}/notifications/{notificationId}/snooze': {
    path: {
      subscriberId: string
      notificationId: string
    }
    query?: {
      contextKeys?: string[]
    }
    body: {
      snoozeUntil: string
    }
    reply: InboxNotification
  }
  /** Bring an archived in-app notification back */
  'PATCH /v2/subscribers/{subscriberId}/notifications/{notificationId}/unarchive': {
    path: {
      subscriberId: string
      notificationId: string
    }
    query?: {
      contextKeys?: string[]
    }
    reply: InboxNotification
  }
  /** End the snooze of an in-app notification: it is delivered again */
  'PATCH /v2/subscribers/{subscriberId}/notifications/{notificationId}/unsnooze': {
    path: {
      subscriberId: string
      notificationId: string
    }
    query?: {
      contextKeys?: string[]
    }
    reply: InboxNotification
  }
  /** Change what a subscriber is told by up to 100 workflows; all of it or nothing */
  'PATCH /v2/subscribers/{subscriberId}/preferences/bulk': {
    path: {
      subscriberId: string
    }
    body: {
      preferences: ({
        /** Of a workflow: workflowId, _id or slug. */
        workflowId: string
        enabled?: boolean | null
        channels: {
          in_app?: boolean | null
          email?: boolean | null
          sms?: boolean | null
          chat?: boolean | null
          push?: boolean | null
        }
      })[]
    }
    reply: ChangedPreference[]
  }
  /** What a subscriber is told, on which channels and when: in general and for every active workflow */
  'GET /v2/subscribers/{subscriberId}/preferences': {
    path: {
      subscriberId: string
    }
    query?: ListSubscriberPreferences
    reply: SubscriberPreferences
  }
  /** Change what a subscriber is told: by one workflow, or in general, and when */
  'PATCH /v2/subscribers/{subscriberId}/preferences': {
    path: {
      subscriberId: string
    }
    body: UpdateSubscriberPreferences
    reply: SubscriberPreferences
  }
  /** List the topics a subscriber is subscribed to */
  'GET /v2/subscribers/{subscriberId}/subscriptions': {
    path: {
      subscriberId: string
    }
    query?: {
      /** Fetch what follows this cursor. */
      after?: string
      /** Fetch what precedes this cursor. */
      before?: string
      limit?: number
      orderDirection?: "ASC" | "DESC"
      orderBy?: "_id" | "createdAt"
      /** Include the item the cursor stands on. */
      includeCursor?: boolean
      /** Only the topic with this key. */
      key?: string
    }
    reply: {
      data: TopicSubscription[]
      next: string | null
      previous: string | null
      totalCount: number
      totalCountCapped: boolean
    }
  }
  /** Create a topic, or rename the one with this key */
  'POST /v2/topics': {
    query?: CreateTopicOptions
    body: CreateTopic
    reply: Topic
  }
  /** List topics */
  'GET /v2/topics': {
    query?: ListTopics
    reply: TopicPage
  }
  /** Delete a topic and its subscriptions */
  'DELETE /v2/topics/{topicKey}': {
    path: {
      topicKey: string
    }
    reply: DeleteTopicResult
  }
  /** Retrieve a topic */
  'GET /v2/topics/{topicKey}': {
    path: {
      topicKey: string
    }
    reply: Topic
  }
  /** Rename a topic */
  'PATCH /v2/topics/{topicKey}': {
    path: {
      topicKey: string
    }
    body: UpdateTopic
    reply: Topic
  }
  /** Subscribe up to 100 subscribers to a topic; a topic that does not exist is created */
  'POST /v2/topics/{topicKey}/subscriptions': {
    path: {
      topicKey: string
    }
    body: {
      subscriptions?: (string | {
        subscriberId?: string
        identifier?: string
      })[]
      subscriberIds?: string[]
    }
    reply: SubscribeResult
  }
  /** List the members of a topic, each with every subscription that they have to it */
  'GET /v2/topics/{topicKey}/subscriptions': {
    path: {
      topicKey: string
    }
    query?: ListTopicSubscriptions
    reply: TopicSubscriptionPage
  }
  /** Unsubscribe up to 100 subscribers from a topic */
  'DELETE /v2/topics/{topicKey}/subscriptions': {
    path: {
      topicKey: string
    }
    body: {
      subscriptions?: (string | {
        subscriberId?: string
        identifier?: string
      })[]
      subscriberIds?: string[]
    }
    reply: UnsubscribeResult
  }
  /** Retrieve one subscription of a topic by its identifier or id */
  'GET /v2/topics/{topicKey}/subscriptions/{identifier}': {
    path: {
      topicKey: string
      identifier: string
    }
    reply: {
      id: string
      identifier: string
      name?: string
      contextKeys: string[]
      preferences: SubscriptionPreference[]
    }
  }
  /** Change the name or the preferences of a subscription to a topic, named by its identifier or id */
  'PATCH /v2/topics/{topicKey}/subscriptions/{identifier}': {
    path: {
      topicKey: string
      identifier: string
    }
    body: {
      name?: string | null
      preferences?: (string | {
        /** Of a workflow: workflowId, _id or slug. */
        workflowId?: string
        filter?: {
          workflowIds?: string[]
          tags?: string[]
        }
        enabled?: boolean
        /** JSON Logic over payload, subscriber, actor and context. Null takes it back. */
        condition?: unknown
      })[]
    }
    reply: ChangedTopicSubscription
  }
  /** Save the words of a workflow or layout in one language, in place of those before */
  'POST /v2/translations': {
    body: {
      /** The workflowId or layoutId. */
      resourceId: string
      resourceType: "workflow" | "layout"
      /** As in de_AT or de-AT. */
      locale: string
      /** Texts by key, nested or not. */
      content: Record<string, unknown>
    }
    reply: Translation
  }
  /** Delete the words of one language; what is under way keeps them */
  'DELETE /v2/translations/{resourceType}/{resourceId}/{locale}': {
    path: {
      resourceType: string
      resourceId: string
      locale: string
    }
    reply: undefined
  }
  /** The words of a workflow or layout in one language */
  'GET /v2/translations/{resourceType}/{resourceId}/{locale}': {
    path: {
      resourceType: string
      resourceId: string
      locale: string
    }
    reply: Translation
  }
  /** Delete all languages of a workflow or layout; what is under way keeps them */
  'DELETE /v2/translations/{resourceType}/{resourceId}': {
    path: {
      resourceType: string
      resourceId: string
    }
    reply: undefined
  }
  /** The languages of a workflow or layout, and which of them lack something */
  'GET /v2/translations/group/{resourceType}/{resourceId}': {
    path: {
      resourceType: string
      resourceId: string
    }
    reply: TranslationGroup
  }
  /** What the templates of a workflow or layout ask for, and what of it each language lacks */
  'GET /v2/translations/group/{resourceType}/{resourceId}/missing': {
    path: {
      resourceType: string
      resourceId: string
    }
    reply: MissingTranslations
  }
  /** All words of one language, by workflow and layout */
  'GET /v2/translations/master-json': {
    query?: {
      /** The default locale, unless another is named. */
      locale?: string
    }
    reply: MasterTranslations
  }
  /** Save all words of one language, as the export gives them */
  'POST /v2/translations/master-json': {
    body: {
      /** As in de_AT. */
      locale: string
      /** `workflows` and `layouts`, each by its identifier. */
      masterJson: Record<string, unknown>
    }
    reply: ImportedTranslations
  }
  /** The same from a file named after its language (de_AT.json), sent as a form or as JSON */
  'POST /v2/translations/master-json/upload': {
    body: {
      files: {
        /** As in de_AT.json. */
        name: string
        content: string
      }[]
    }
    reply: ImportedTranslations
  }
  /** Save languages from JSON files named after them (de_AT.json), sent as a form or as JSON */
  'POST /v2/translations/upload': {
    body: {
      resourceId: string
      resourceType: "workflow" | "layout"
      files: {
        /** As in de_AT.json. */
        name: string
        content: string
      }[]
    }
    reply: UploadedTranslations
  }
  /** The HTML template that a document of blocks becomes; nothing is stored */
  'POST /v2/workflows/compile-blocks': {
    body: {
      /** The document, as text or as the object itself. */
      body: string | Record<string, unknown>
    }
    reply: {
      /** With its variables: a body for `editorType: "html"`. */
      html: string
      /** What of the document is not in it as it stands there. */
      warnings: {
        message: string
        variable?: string
      }[]
    }
  }
  /** Create a workflow */
  'POST /v2/workflows': {
    body: CreateWorkflow
    reply: Workflow
  }
  /** List workflows */
  'GET /v2/workflows': {
    query?: ListWorkflows
    reply: WorkflowPage
  }
  /** Delete a workflow; its history stays readable, and its workflowId is free again */
  'DELETE /v2/workflows/{workflowId}': {
    path: {
      workflowId: string
    }
    reply: undefined
  }
  /** Retrieve a workflow by its workflowId or _id */
  'GET /v2/workflows/{workflowId}': {
    path: {
      workflowId: string
    }
    reply: Workflow
  }
  /** Switch a workflow on or off, or change its name, description, tags or payload schema */
  'PATCH /v2/workflows/{workflowId}': {
    path: {
      workflowId: string
    }
    body: UpdateWorkflow
    reply: Workflow
  }
  /** Replace a workflow by a new version; what runs already goes on with the version it began with */
  'PUT /v2/workflows/{workflowId}': {
    path: {
      workflowId: string
    }
    body: ReplaceWorkflow
    reply: Workflow
  }
  /** A step that is not saved, as one person would see it; nothing is sent */
  'POST /v2/workflows/preview': {
    body: {
      step: {
        type: "in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle"
        active?: boolean
        controlValues?: Record<string, unknown> | null
        filters?: ({
          isNegated?: boolean
          type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP"
          value?: "AND" | "OR"
          children?: ({
            field: string
            value: string
            operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN"
            on: "subscriber" | "payload"
          })[]
        })[]
        variants?: ({
          name?: string
          filters?: ({
            isNegated?: boolean
            type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP"
            value?: "AND" | "OR"
            children?: ({
              field: string
              value: string
              operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN"
              on: "subscriber" | "payload"
            })[]
          })[]
          controlValues?: Record<string, unknown> | null
        })[]
      }
      /** The workflow it will be part of: its translations and preferences are used. */
      workflowId?: string
      /** A person whose stored profile is used. */
      subscriberId?: string
      previewPayload?: {
        /** Fields that stand over those of the stored profile. */
        subscriber?: Record<string, unknown>
        /** As an event would carry it. */
        payload?: Record<string, unknown>
        /** Fields of whoever caused the event. */
        actor?: Record<string, unknown>
        /** Fields of the tenant. */
        tenant?: Record<string, unknown>
        /** The contexts by type: an id, or `{ id, data }`. Without `data`, what is stored is used. */
        context?: Record<string, unknown>
        /** `events`: payloads that a digest before the step has gathered. */
        steps?: Record<string, unknown>
      }
    }
    reply: StepPreview
  }
  /** Send a step that is not saved to yourself, as one person would get it; nothing is stored */
  'POST /v2/workflows/preview/send': {
    body: {
      step: {
        type: "in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle"
        active?: boolean
        controlValues?: Record<string, unknown> | null
        filters?: ({
          isNegated?: boolean
          type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP"
          value?: "AND" | "OR"
          children?: ({
            field: string
            value: string
            operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN"
            on: "subscriber" | "payload"
          })[]
        })[]
        variants?: ({
          name?: string
          filters?: ({
            isNegated?: boolean
            type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP"
            value?: "AND" | "OR"
            children?: ({
              field: string
              value: string
              operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN"
              on: "subscriber" | "payload"
            })[]
          })[]
          controlValues?: Record<string, unknown> | null
        })[]
      }
      /** The workflow it will be part of: its translations and preferences are used. */
      workflowId?: string
      /** A person whose stored profile is used. */
      subscriberId?: string
      previewPayload?: {
        /** Fields that stand over those of the stored profile. */
        subscriber?: Record<string, unknown>
        /** As an event would carry it. */
        payload?: Record<string, unknown>
        /** Fields of whoever caused the event. */
        actor?: Record<string, unknown>
        /** Fields of the tenant. */
        tenant?: Record<string, unknown>
        /** The contexts by type: an id, or `{ id, data }`. Without `data`, what is stored is used. */
        context?: Record<string, unknown>
        /** `events`: payloads that a digest before the step has gathered. */
        steps?: Record<string, unknown>
      }
      /** Yourself: an e-mail address, phone number, webhook URL, chat channel or device token. */
      to: string
      /** Instead of the one that would send it. */
      integrationIdentifier?: string
    }
    reply: IntegrationTest
  }
  /** Retrieve a step of a workflow by its stepId or _id */
  'GET /v2/workflows/{workflowId}/steps/{stepId}': {
    path: {
      workflowId: string
      stepId: string
    }
    reply: WorkflowStep
  }
  /** A step of a workflow as one person would see it; nothing is sent */
  'POST /v2/workflows/{workflowId}/step/{stepId}/preview': {
    path: {
      workflowId: string
      stepId: string
    }
    body: {
      controlValues?: Record<string, unknown> | null
      /** A person whose stored profile is used. */
      subscriberId?: string
      previewPayload?: {
        /** Fields that stand over those of the stored profile. */
        subscriber?: Record<string, unknown>
        /** As an event would carry it. */
        payload?: Record<string, unknown>
        /** Fields of whoever caused the event. */
        actor?: Record<string, unknown>
        /** Fields of the tenant. */
        tenant?: Record<string, unknown>
        /** The contexts by type: an id, or `{ id, data }`. Without `data`, what is stored is used. */
        context?: Record<string, unknown>
        /** `events`: payloads that a digest before the step has gathered. */
        steps?: Record<string, unknown>
      }
    }
    reply: StepPreview
  }
  /** Publish a workflow to another environment, with what it depends on */
  'PUT /v2/workflows/{workflowId}/sync': {
    path: {
      workflowId: string
    }
    body: {
      targetEnvironmentId: string
      /** Of the diff that was shown: what differs from it is refused with 409. */
      fingerprint?: string
      /** Why: it is kept with the publication. */
      note?: string
    }
    reply: Workflow
  }
  /** All versions of a workflow, newest first; what runs goes on with the one it began with */
  'GET /v2/workflows/{workflowId}/versions': {
    path: {
      workflowId: string
    }
    query?: {
      /** Only older ones. */
      before?: number
      limit?: number
    }
    reply: {
      data: WorkflowVersion[]
      hasMore: boolean
    }
  }
}

/** The operations that the token of an inbox gives access to, and the one that returns such a token. */
export type InboxOperations = {
  /** Archive a notification: the feed shows it no more unless asked */
  'PATCH /v1/inbox/notifications/{notificationId}/archive': {
    path: {
      notificationId: string
    }
    reply: {
      data: InboxNotification
    }
  }
  /** Archive everything in the feed, or what the filter finds of it */
  'POST /v1/inbox/notifications/archive': {
    body: {
      /** One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
      tags?: string[] | {
        or?: string[]
        and?: {
          or: string[]
        }[]
      }
      /** A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
      data?: string
      contextKeys?: string[]
    }
    reply: undefined
  }
  /** Archive what is read in the feed, or what the filter finds of it */
  'POST /v1/inbox/notifications/read-archive': {
    body: {
      /** One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
      tags?: string[] | {
        or?: string[]
        and?: {
          or: string[]
        }[]
      }
      /** A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
      data?: string
      contextKeys?: string[]
    }
    reply: undefined
  }
  /** The same as read-archive, or what the filter finds of it */
  'POST /v1/inbox/notifications/archive/read': {
    body: {
      /** One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
      tags?: string[] | {
        or?: string[]
        and?: {
          or: string[]
        }[]
      }
      /** A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
      data?: string
      contextKeys?: string[]
    }
    reply: undefined
  }
  /** Delete one's own channel connection, its tokens and its endpoints; a shared one is left to a server */
  'DELETE /v1/inbox/channel-connections/{identifier}': {
    path: {
      identifier: string
    }
    reply: undefined
  }
  /** Get a channel connection of one's own, or one that is shared in the session's contexts */
  'GET /v1/inbox/channel-connections/{identifier}': {
    path: {
      identifier: string
    }
    query?: {
      connectionMode?: "subscriber" | "shared"
    }
    reply: {
      identifier: string
      /** `subscriber`: your own, which you may delete. */
      connectionMode: "subscriber" | "shared"
      channel: string
      providerId: string
      integrationIdentifier: string
      workspace: {
        id: string
        name?: string
        botUserId?: string
      }
      createdAt?: string
      data: OwnChannelConnection
    }
  }
  /** List one's own channel connections, and those that are shared in the session's contexts */
  'GET /v1/inbox/channel-connections': {
    query?: {
      /** Fetch what follows this cursor. */
      after?: string
      /** Fetch what precedes this cursor. */
      before?: string
      limit?: number
      /** Not needed; nobody else may be named. */
      subscriberId?: string
      integrationIdentifier?: string
      channel?: string
      providerId?: string
      connectionMode?: "subscriber" | "shared"
      /** Exactly these, each as `type:id`. */
      contextKeys?: string[]
    }
    reply: {
      data: OwnChannelConnection[]
      next: string | null
      previous: string | null
    }
  }
  /** The address at the vendor where the person installs the app in a workspace */
  'POST /v1/inbox/channel-connections/oauth': {
    body: {
      integrationIdentifier: string
      connectionIdentifier?: string
      context?: Record<string, unknown>
      /** Not needed with an API key. */
      contextHash?: string
      subscriberId?: string
      scope?: string[]
      connectionMode?: "subscriber" | "shared"
      /** Also reach the subscriber at the vendor. */
      autoLinkUser?: boolean
    }
    reply: {
      data: {
        url: string
      }
    }
  }
  /** Register the push subscription of this browser; given again, it is the same endpoint */
  'POST /v1/inbox/channel-endpoints': {
    body: {
      integrationIdentifier: string
      subscriberId?: string
      type: "web_push"
      endpoint: slack_channel | slack_user | webhook | phone | ms_teams_channel | ms_teams_user | telegram_chat | google_chat_space | ntfy_topic | web_push
    }
    reply: {
      data: {
        identifier: string
        type: string
      }
    }
  }
  /** List one's own channel endpoints, without what is secret in them */
  'GET /v1/inbox/channel-endpoints': {
    query?: {
      /** Fetch what follows this cursor. */
      after?: string
      /** Fetch what precedes this cursor. */
      before?: string
      limit?: number
      /** Not needed; nobody else may be named. */
      subscriberId?: string
      integrationIdentifier?: string
      connectionIdentifier?: string
      channel?: string
      providerId?: string
      /** Exactly these, each as `type:id`. */
      contextKeys?: string[]
    }
    reply: {
      data: OwnChannelEndpoint[]
      next: string | null
      previous: string | null
    }
  }
  /** Delete one's own channel endpoint: nothing is sent there any more */
  'DELETE /v1/inbox/channel-endpoints/{identifier}': {
    path: {
      identifier: string
    }
    reply: undefined
  }
  /** The address that the person opens to be known to a bot (Telegram) */
  'POST /v1/inbox/channel-endpoints/link': {
    body: {
      integrationIdentifier: string
      subscriberId?: string
      context?: Record<string, unknown>
      contextHash?: string
    }
    reply: {
      data: {
        url: string
      }
    }
  }
  /** The address at the vendor where the person says who they are there */
  'POST /v1/inbox/channel-endpoints/oauth': {
    body: {
      integrationIdentifier: string
      connectionIdentifier?: string
      context?: Record<string, unknown>
      /** Not needed with an API key. */
      contextHash?: string
      subscriberId?: string
      userScope?: string[]
    }
    reply: {
      data: {
        url: string
      }
    }
  }
  /** The older form of channel-connections/oauth and channel-endpoints/oauth in one */
  'POST /v1/inbox/chat/oauth': {
    body: {
      integrationIdentifier: string
      connectionIdentifier?: string
      context?: Record<string, unknown>
      /** Not needed with an API key. */
      contextHash?: string
      subscriberId?: string
      scope?: string[]
      connectionMode?: "subscriber" | "shared"
      /** Also reach the subscriber at the vendor. */
      autoLinkUser?: boolean
      userScope?: string[]
      mode?: "connect" | "link_user"
    }
    reply: {
      data: {
        url: string
      }
    }
  }
  /** Note that a button was pressed; the notification is then read */
  'PATCH /v1/inbox/notifications/{notificationId}/complete': {
    path: {
      notificationId: string
    }
    body: {
      actionType: "primary" | "secondary"
    }
    reply: {
      data: InboxNotification
    }
  }
  /** Delete a notification for good */
  'DELETE /v1/inbox/notifications/{notificationId}/delete': {
    path: {
      notificationId: string
    }
    reply: undefined
  }
  /** Delete all notifications, archived and snoozed ones too, or what the filter finds, for good */
  'POST /v1/inbox/notifications/delete': {
    body: {
      /** One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
      tags?: string[] | {
        or?: string[]
        and?: {
          or: string[]
        }[]
      }
      /** A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
      data?: string
      contextKeys?: string[]
    }
    reply: undefined
  }
  /** Mark everything in the feed as read, or what the filter finds of it */
  'POST /v1/inbox/notifications/read': {
    body: {
      /** One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
      tags?: string[] | {
        or?: string[]
        and?: {
          or: string[]
        }[]
      }
      /** A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
      data?: string
      contextKeys?: string[]
    }
    reply: undefined
  }
  /** Mark a notification as read, and so as seen */
  'PATCH /v1/inbox/notifications/{notificationId}/read': {
    path: {
      notificationId: string
    }
    reply: {
      data: InboxNotification
    }
  }
  /** Mark the named notifications as seen, or else what the filter finds in the feed */
  'POST /v1/inbox/notifications/seen': {
    body: {
      notificationIds?: string[]
      /** One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each. */
      tags?: string[] | {
        or?: string[]
        and?: {
          or: string[]
        }[]
      }
      /** A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
      data?: string
      contextKeys?: string[]
    }
    reply: undefined
  }
  /** Mark a notification as unread; it stays seen */
  'PATCH /v1/inbox/notifications/{notificationId}/unread': {
    path: {
      notificationId: string
    }
    reply: {
      data: InboxNotification
    }
  }
  /** Count notifications by up to 30 filters; each count stops at 50,000 */
  'GET /v1/inbox/notifications/count': {
    query: {
      /** A list of filters as JSON, such as [{"read":false},{"seen":false}]. */
      filters: string
    }
    reply: {
      data: {
        count: number
        filter: Record<string, unknown>
      }[]
    }
  }
  /** List notifications, newest first */
  'GET /v1/inbox/notifications': {
    query?: ListInboxNotifications
    reply: InboxNotificationPage
  }
  /** Change what holds for up to 100 workflows, all or none */
  'PATCH /v1/inbox/preferences/bulk': {
    body: {
      preferences: ({
        /** Of a workflow: workflowId, _id or slug. */
        workflowId: string
        /** Changes what holds in this subscription to a topic, not the person's own. */
        subscriptionIdentifier?: string
        /** JSON Logic over payload, subscriber, actor and context. Null takes it back. */
        condition?: unknown
        enabled?: boolean | null
        in_app?: boolean | null
        email?: boolean | null
        sms?: boolean | null
        chat?: boolean | null
        push?: boolean | null
      })[]
    }
    reply: {
      data: InboxPreference[]
    }
  }
  /** The choice that holds for all workflows, and the schedule */
  'GET /v1/inbox/preferences/global': {
    reply: {
      data: InboxPreference
    }
  }
  /** What the person is told and on which channels: the global choice first, then every active workflow */
  'GET /v1/inbox/preferences': {
    query?: ListInboxPreferences
    reply: {
      data: InboxPreference[]
    }
  }
  /** Change what holds for all workflows: channels, and when */
  'PATCH /v1/inbox/preferences': {
    body: UpdateInboxPreferences
    reply: {
      data: InboxPreference
    }
  }
  /** Change what holds for one workflow, named by its id or identifier */
  'PATCH /v1/inbox/preferences/{workflowId}': {
    path: {
      workflowId: string
    }
    body: UpdateInboxWorkflowPreferences
    reply: {
      data: InboxPreference
    }
  }
  /** Take back that a button was pressed */
  'PATCH /v1/inbox/notifications/{notificationId}/revert': {
    path: {
      notificationId: string
    }
    body: {
      actionType: "primary" | "secondary"
    }
    reply: {
      data: InboxNotification
    }
  }
  /** Open a person's inbox for a browser: a token for the other inbox routes, for fifteen days */
  'POST /v1/inbox/session': {
    body: OpenInboxSession
    reply: {
      data: InboxSession
    }
  }
  /** Take a notification out of the feed until a time; then it is delivered again */
  'PATCH /v1/inbox/notifications/{notificationId}/snooze': {
    path: {
      notificationId: string
    }
    body: {
      snoozeUntil: string
    }
    reply: {
      data: InboxNotification
    }
  }
  /** Subscribe to a topic; a subscription that exists stays as it is */
  'POST /v1/inbox/topics/{topicKey}/subscriptions': {
    path: {
      topicKey: string
    }
    body: CreateInboxSubscription
    reply: {
      data: Subscription
    }
  }
  /** List one's own subscriptions to a topic */
  'GET /v1/inbox/topics/{topicKey}/subscriptions': {
    path: {
      topicKey: string
    }
    reply: {
      data: Subscription[]
    }
  }
  /** End one's own subscription to a topic */
  'DELETE /v1/inbox/topics/{topicKey}/subscriptions/{identifier}': {
    path: {
      topicKey: string
      identifier: string
    }
    reply: {
      data: {
        success: boolean
      }
    }
  }
  /** Retrieve one's own subscription to a topic by its identifier or id; 204 if there is none */
  'GET /v1/inbox/topics/{topicKey}/subscriptions/{identifier}': {
    path: {
      topicKey: string
      identifier: string
    }
    query?: {
      /** Only these workflows, also if nothing was chosen for them. */
      workflowIds?: string[]
      /** Also every workflow with one of these tags. */
      tags?: string[]
    }
    reply: {
      data: Subscription
    }
  }
  /** Change the name or the preferences of one's own subscription to a topic */
  'PATCH /v1/inbox/topics/{topicKey}/subscriptions/{identifier}': {
    path: {
      topicKey: string
      identifier: string
    }
    body: UpdateInboxSubscription
    reply: {
      data: Subscription
    }
  }
  /** Change what holds for one workflow in one's own subscription */
  'PATCH /v1/inbox/subscriptions/{identifier}/preferences/{workflowId}': {
    path: {
      identifier: string
      workflowId: string
    }
    body: {
      enabled?: boolean
      /** JSON Logic over payload, subscriber, actor and context. Null takes it back. */
      condition?: unknown
    }
    reply: {
      data: SubscriptionPreference
    }
  }
  /** Bring an archived notification back */
  'PATCH /v1/inbox/notifications/{notificationId}/unarchive': {
    path: {
      notificationId: string
    }
    reply: {
      data: InboxNotification
    }
  }
  /** End the snooze of a notification: it is delivered again */
  'PATCH /v1/inbox/notifications/{notificationId}/unsnooze': {
    path: {
      notificationId: string
    }
    reply: {
      data: InboxNotification
    }
  }
}

export type Error = {
  statusCode: number
  /** A stable word for programs. */
  code: string
  /** A sentence for people: what to do about it. */
  message: string
  path: string
  timestamp: string
  requestId: string
  /** On 422: the field, what is wrong with it, and what was sent. */
  errors?: Record<string, {
    messages: string[]
    value?: unknown
  }>
}

export type ApiKey = {
  id: string
  name: string
  createdAt: string
  /** As the record of changes knows it. */
  createdBy?: {
    type: "person" | "key" | "link" | "command" | "service"
    id: string
    name: string
  }
  /** This call, or its session, uses it. */
  current: boolean
  /** The operator's own: BOOTSTRAP_API_KEY. */
  bootstrap: boolean
  scope: "everything" | "trigger" | "read" | "inbox"
  reach: "environment" | "organization"
  note?: string
  /** From then on it opens nothing. */
  expiresAt?: string
  /** By a program or to sign in, to about a minute. */
  lastUsedAt?: string
  revokedAt?: string
}

/** By workflowId. */
export type BridgeSync = {
  /** http or https; private addresses are refused. Mostly ends with /api/novu. */
  bridgeUrl: string
  created: string[]
  updated: string[]
  unchanged: string[]
  deleted: string[]
  /** The API key whose text signs what the bridge is asked. */
  keyId: string | null
  warnings: string[]
}

export type Bridge = {
  /** Null: no bridge was told of. */
  bridgeUrl: string | null
  syncedAt?: string
  /** Since then it has not answered. */
  failingSince?: string
  failingReason?: string
}

export type BridgeValidation = {
  isValid: boolean
  workflows: number
  steps: number
}

export type ChangeActor = {
  type: "person" | "key" | "link" | "command" | "service"
  /** The actorId of GET /v1/changes. */
  id: string
  /** As they were called last. */
  name: string
  lastAt: string
}

export type ChangeRecord = {
  _id: string
  createdAt: string
  /** Absent: it is about the organization. */
  environmentId?: string
  actor: {
    type: "person" | "key" | "link" | "command" | "service"
    id: string
    /** As they were called then. */
    name: string
  }
  /** As in workflows.update. */
  action: string
  subject: {
    type: string
    id: string
    name?: string
  }
  changes: {
    path: string
    /** Any JSON; long texts are cut. */
    before?: unknown
    /** Any JSON; long texts are cut. */
    after?: unknown
  }[]
  /** The IP address of the request, or the machine of a command. */
  address?: string
  agent?: string
  requestId?: string
}

export type ChannelConnection = {
  identifier: string
  channel: string | null
  providerId: string | null
  integrationIdentifier: string | null
  subscriberId: string | null
  contextKeys: string[]
  workspace: {
    id: string
    name?: string
    botUserId?: string
  }
  auth: {
    /** Never shown: dots, or nothing if the app needs none. */
    accessToken: string
    expiresAt?: string
  }
  /** Why the vendor takes no more from us there; connect the workspace again. */
  refused: string | null
  createdAt: string
  updatedAt: string
}

export type slack_channel = {
  channelId: string
}

export type slack_user = {
  userId: string
}

export type webhook = {
  url: string
  channel?: string
}

export type phone = {
  phoneNumber: string
}

export type ms_teams_channel = {
  teamId: string
  channelId: string
}

export type ms_teams_user = {
  userId: string
}

export type telegram_chat = {
  chatId: string
}

export type google_chat_space = {
  spaceId: string
}

export type ntfy_topic = {
  topic: string
}

export type web_push = {
  endpoint: string
  keys: {
    p256dh: string
    auth: string
  }
}

export type ChannelEndpoint = {
  identifier: string
  channel: string | null
  providerId: string | null
  integrationIdentifier: string | null
  connectionIdentifier: string | null
  subscriberId: string | null
  contextKeys: string[]
  type: string
  endpoint: slack_channel | slack_user | webhook | phone | ms_teams_channel | ms_teams_user | telegram_chat | google_chat_space | ntfy_topic | web_push
  /** When the vendor said that this place no longer exists. */
  goneAt: string | null
  createdAt: string
  updatedAt: string
}

export type Hunk = {
  /** The first line, counted from one. */
  before: number
  after: number
  lines: string[]
}

export type ResourceChange = {
  resourceType: string
  action: "added" | "modified" | "deleted" | "moved"
  /** As in steps.email.controlValues.subject: steps go by their stepId. */
  path: string
  before?: unknown
  after?: unknown
  /** Of a long text, in place of before and after. */
  lines?: Hunk[]
  stepId?: string
  /** Changed lines that are not shown. */
  moreLines?: number
  stepType?: string
  previousIndex?: number
  newIndex?: number
}

export type AppliedContent = {
  dryRun: boolean
  /** In the order of the request. */
  resources: ({
    kind: "workflow" | "layout" | "translation"
    resourceId: string
    action: "added" | "modified" | "unchanged"
    changes: ResourceChange[]
    /** There are more changes than are shown. */
    isShortened: boolean
    warnings: string[]
  })[]
  summary: {
    added: number
    modified: number
    unchanged: number
  }
}

export type Content = {
  /** Bodies of POST /v2/workflows, /v2/layouts and /v2/translations, in the same order each time. */
  resources: Record<string, unknown>[]
}

export type ChannelCredentials = {
  webhookUrl?: string
  channel?: string
  deviceTokens?: string[]
  alertUid?: string
  title?: string
  imageUrl?: string
  state?: string
  externalUrl?: string
}

export type ChannelSettings = {
  providerId: "slack" | "discord" | "msteams" | "mattermost" | "ryver" | "zulip" | "grafana-on-call" | "getstream" | "rocket-chat" | "whatsapp-business" | "chat-webhook" | "platform-slack" | "fcm" | "apns" | "expo" | "one-signal" | "pushpad" | "push-webhook" | "pusher-beams" | "appio"
  integrationIdentifier?: string
  credentials: ChannelCredentials
  _integrationId: string
}

export type Subscriber = {
  _id: string
  subscriberId: string
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  phone?: string | null
  avatar?: string | null
  locale?: string | null
  channels: ChannelSettings[]
  /** Not sent. */
  topics?: string[]
  isOnline?: boolean | null
  lastOnlineAt?: string | null
  __v: number
  data?: Record<string, unknown> | null
  timezone?: string | null
  _organizationId: string
  _environmentId: string
  deleted: boolean
  createdAt: string
  updatedAt: string
}

export type StepFilter = {
  isNegated: boolean
  type: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP"
  value: "AND" | "OR"
  children: ({
    field: string
    value: string
    operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN"
    on: "subscriber" | "payload"
  })[]
}

export type NotificationStepVariant = {
  _id: string
  uuid: string
  name: string
  _templateId: string
  _parentId?: string
  active: boolean
  shouldStopOnFail: boolean
  template: Record<string, unknown>
  filters: StepFilter[]
  metadata?: Record<string, unknown>
  replyCallback?: {
    active?: boolean
    url?: string
  }
}

export type NotificationStep = {
  _id: string
  uuid: string
  name: string
  _templateId: string
  _parentId?: string
  active: boolean
  shouldStopOnFail: boolean
  template: Record<string, unknown>
  filters: StepFilter[]
  metadata?: Record<string, unknown>
  replyCallback?: {
    active?: boolean
    url?: string
  }
  variants: NotificationStepVariant[]
}

export type NotificationTrigger = {
  type: "event"
  identifier: string
  variables: {
    name: string
  }[]
  /** Not sent. */
  subscriberVariables?: {
    name: string
  }[]
}

export type EmbeddedWorkflow = {
  _id: string
  name: string
  description: string
  active: boolean
  draft: boolean
  preferenceSettings: {
    email?: boolean
    sms?: boolean
    in_app?: boolean
    chat?: boolean
    push?: boolean
  }
  critical: boolean
  tags: string[]
  steps: NotificationStep[]
  _organizationId: string
  _creatorId: string
  _environmentId: string
  triggers: NotificationTrigger[]
  _notificationGroupId: string
  deleted: boolean
  deletedAt: string
  deletedBy: string
  _parentId?: string
  notificationGroup?: {
    _id?: string
    _parentId?: string
    name: string
    _environmentId: string
    _organizationId: string
  }
  data?: Record<string, unknown>
  workflowIntegrationStatus?: Record<string, unknown>
}

export type EmailBlock = {
  type: "button" | "text"
  content: string
  url?: string
  styles?: {
    textAlign?: "center" | "left" | "right"
  }
}

export type MessageCTA = {
  type?: "redirect"
  data?: {
    url?: string
  }
  action?: {
    status?: "pending" | "done"
    buttons?: ({
      type: "primary" | "secondary"
      content: string
      resultContent?: string
    })[]
    result?: {
      payload?: Record<string, unknown>
      type?: "primary" | "secondary"
    }
  }
}

export type DeadLetter = {
  _id: string
  _templateId?: string | null
  _messageTemplateId?: string | null
  _feedId?: string | null
  _environmentId: string
  _organizationId: string
  _notificationId: string
  _subscriberId: string
  subscriber?: Subscriber
  template?: EmbeddedWorkflow
  templateIdentifier?: string
  createdAt: string
  deliveredAt?: string[]
  lastSeenDate?: string
  lastReadDate?: string
  snoozedUntil?: string
  /** Here always a string. */
  content?: string | EmailBlock[]
  transactionId: string
  subject?: string
  email?: string
  phone?: string
  title?: string
  providerId?: string
  errorId?: string
  errorText?: string
  channel: "in_app" | "email" | "sms" | "chat" | "push"
  read: boolean
  seen: boolean
  cta: MessageCTA
  status: "sent" | "error" | "warning"
  payload?: Record<string, unknown>
  overrides?: Record<string, unknown>
  contextKeys?: string[]
  /** How often a provider was asked. */
  attempts: number
  /** The integration that tried last. */
  integrationId?: string
}

export type DevMail = {
  /** The id of the message. */
  _id: string
  channel: string
  to: string
  subject?: string
  content: string
  createdAt: string
}

export type Environment = {
  _id: string
  _organizationId: string
  name: string
  /** Public: the applicationIdentifier of inbox components. */
  identifier: string
  /** Whose translations stand where a reader’s own language has none: en_US. */
  defaultLocale: string
  inbox: {
    subscriberHash: "required" | "optional"
    hasSigningSecret: boolean
  }
  /** Only while its work waits behind that of others: since when, and why. */
  slowed?: {
    since: string
    until: string
    reason: "failures" | "rate"
    text: string
  }
}

export type LargeSends = {
  /** Sends to at least so many people begin with a few of them; null: none does. */
  canaryFrom: number | null
  canaryPercent: number
  canaryAtLeast: number
  /** Who lets it go on after the first people. */
  goesOn: "person" | "time"
  goesOnAfterSeconds: number
  /** Sends to at least so many people are stopped when too much fails; null: only those that begin small. */
  guardFrom: number | null
  failuresPercent: number
  complaintsPercent: number
  /** Slow the environment down when it jumps far beyond its own past. */
  slowOnJumps: boolean
}

export type EnvironmentVariable = {
  _id: string
  _organizationId: string
  key: string
  type: string
  isSecret: boolean
  /** In the environments that the caller can get at. A secret shows as ••••••••. */
  values: {
    _environmentId: string
    value: string
  }[]
  createdAt: string
  updatedAt: string
}

export type ListedEnvironment = {
  _id: string
  _organizationId: string
  name: string
  /** Public: the applicationIdentifier of inbox components. */
  identifier: string
  /** Part of its address in the dashboard: /env/<slug>/workflows. */
  slug: string
  /** dev: where things are made. prod: where they are published to. */
  type: "dev" | "prod"
  /** What is published to it comes from there, unless another one is named. */
  _parentId?: string
  color: string
  /** Workflows, layouts and translations change only by publishing. */
  protected: boolean
  /** It lives in another cell. */
  isElsewhere: boolean
  createdAt: string
  deletedAt?: string
  /** Until then a deleted one can be restored. */
  purgedAfter?: string
  /** Only while its work waits behind that of others: since when, and why. */
  slowed?: {
    since: string
    until: string
    reason: "failures" | "rate"
    text: string
  }
}

export type SubscriberRecipient = {
  type?: "Subscriber"
  subscriberId: string
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  phone?: string | null
  avatar?: string | null
  timezone?: string | null
  locale?: string | null
  data?: Record<string, unknown> | null
  channels?: ({
    providerId: "slack" | "discord" | "msteams" | "mattermost" | "ryver" | "zulip" | "grafana-on-call" | "getstream" | "rocket-chat" | "whatsapp-business" | "chat-webhook" | "platform-slack" | "fcm" | "apns" | "expo" | "one-signal" | "pushpad" | "push-webhook" | "pusher-beams" | "appio"
    integrationIdentifier?: string
    credentials: ChannelCredentials
  })[]
}

export type TopicRecipient = {
  type?: "Topic"
  topicKey: string
  exclude?: string[]
}

export type TriggerResult = {
  acknowledged: boolean
  status: "error" | "trigger_not_active" | "no_workflow_active_steps_defined" | "no_workflow_steps_defined" | "processed" | "no_tenant_found" | "invalid_recipients"
  error?: string[]
  transactionId?: string
}

export type Explanation = {
  result: TriggerResult
  recipients: ({
    subscriberId: string
    steps: ({
      stepId: string
      type: "in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle" | "custom"
      outcome: "send" | "skip" | "fail" | "wait" | "delay" | "digest" | "throttle" | "defer" | "ask" | "run"
      why?: string
      /** It goes on only if that earlier step is so. */
      dependsOn?: {
        stepId: string
        is: "seen" | "unseen" | "read" | "unread" | "sent" | "failed"
      }
      integrations?: string[]
      until?: string
      /** Translations that none of the reader’s languages has: their names stand in the message. */
      missingKeys?: string[]
    })[]
  })[]
  /** More people would be reached than are shown. */
  hasMore: boolean
}

export type TriggerEvent = {
  name: string
  payload?: Record<string, unknown> | null
  overrides?: Record<string, unknown> | null
  /** A subscriberId, a subscriber (created or updated by this), a topic, or a list of these. */
  to: string | SubscriberRecipient | TopicRecipient | (string | SubscriberRecipient | TopicRecipient)[]
  transactionId?: string | null
  actor?: string | SubscriberRecipient
  tenant?: string | null | {
    identifier: string
  }
  /** The contexts, by type. Each value is an id, or an object with an `id`. */
  context?: Record<string, string | {
    id: string
    data?: Record<string, unknown>
  }> | null
  /** Refused, unless it is the bridge of the environment (`/v1/bridge/sync`). */
  bridgeUrl?: string | null
}

export type ImportedSubscribers = {
  dryRun: boolean
  /** In the order of the request. */
  subscribers: ({
    subscriberId?: string
    action: "created" | "updated" | "unchanged" | "failed"
    changes: string[]
    /** What was not taken over, and why. */
    left: {
      field: string
      why: string
    }[]
    /** With `preferences`: all that they have chosen here now. */
    chosen: {
      workflowId?: string
      enabled?: boolean
      channels: Record<string, unknown>
    }[]
  })[]
}

export type ImportedTopics = {
  dryRun: boolean
  /** In the order of the request. */
  topics: ({
    key?: string
    action: "created" | "updated" | "unchanged" | "failed"
    /** What was not taken over, and why. */
    left: {
      field: string
      why: string
    }[]
    /** In the order of the request. */
    members: ({
      subscriberId?: string
      identifier?: string
      action: "created" | "updated" | "unchanged" | "failed"
      /** What was not taken over, and why. */
      left: {
        field: string
        why: string
      }[]
    })[]
  })[]
}

export type InboxNotification = {
  id: string
  transactionId: string
  subject?: string
  body: string
  to: {
    id: string
    firstName?: string
    lastName?: string
    avatar?: string
    subscriberId: string
  }
  isRead: boolean
  isSeen: boolean
  isArchived: boolean
  isSnoozed: boolean
  snoozedUntil?: string | null
  deliveredAt: string[]
  createdAt: string
  readAt?: string | null
  firstSeenAt?: string | null
  archivedAt?: string | null
  avatar?: string
  primaryAction?: {
    label: string
    isCompleted: boolean
    redirect?: {
      url: string
      target?: string
    }
  }
  secondaryAction?: {
    label: string
    isCompleted: boolean
    redirect?: {
      url: string
      target?: string
    }
  }
  channelType: "in_app" | "email" | "sms" | "chat" | "push"
  tags?: string[]
  data?: Record<string, unknown>
  redirect?: {
    url: string
    target?: string
  }
  workflow?: {
    id: string
    identifier: string
    name: string
    critical: boolean
    tags: string[]
    severity: "high" | "medium" | "low" | "none"
  }
  severity: "high" | "medium" | "low" | "none"
}

export type OwnChannelConnection = {
  identifier: string
  /** `subscriber`: your own, which you may delete. */
  connectionMode: "subscriber" | "shared"
  channel: string
  providerId: string
  integrationIdentifier: string
  workspace: {
    id: string
    name?: string
    botUserId?: string
  }
  createdAt?: string
}

export type OwnChannelEndpoint = {
  identifier: string
  type: string
  providerId: string
  integrationIdentifier: string
  createdAt: string
}

export type InboxPreference = {
  level: "global" | "template"
  workflow?: {
    id: string
    identifier: string
    name: string
    critical: boolean
    tags: string[]
    severity: "high" | "medium" | "low" | "none"
  }
  enabled: boolean
  channels: {
    in_app?: boolean
    email?: boolean
    sms?: boolean
    chat?: boolean
    push?: boolean
  }
  schedule?: {
    isEnabled: boolean
    weeklySchedule?: {
      monday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      tuesday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      wednesday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      thursday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      friday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      saturday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      sunday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
    }
  }
  /** Of a subscription to a topic, where it holds. */
  subscriptionId?: string
  /** JSON Logic. */
  condition?: unknown
}

export type InboxSession = {
  token: string
  totalUnreadCount: number
  unreadCount: {
    total: number
    severity: {
      high: number
      medium: number
      low: number
      none: number
    }
  }
  removeNovuBranding: boolean
  isDevelopmentMode: boolean
  /** A snooze must end before the notification is forgotten. */
  maxSnoozeDurationHours: number
  applicationIdentifier: string
  contextKeys: string[]
  schedule?: {
    isEnabled: boolean
    weeklySchedule?: {
      monday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      tuesday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      wednesday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      thursday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      friday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      saturday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      sunday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
    }
  }
}

export type SubscriptionPreference = {
  subscriptionId: string
  workflow: {
    id: string
    identifier: string
    name: string
    critical: boolean
    tags: string[]
    severity: "high" | "medium" | "low" | "none"
  }
  enabled: boolean
  /** JSON Logic. */
  condition?: unknown
}

export type Subscription = {
  id: string
  identifier: string
  name?: string
  topicKey: string
  contextKeys: string[]
  preferences: SubscriptionPreference[]
  createdAt: string
  updatedAt: string
}

export type Credentials = {
  apiKey?: string
  user?: string
  secretKey?: string
  domain?: string
  password?: string
  host?: string
  port?: string
  region?: string
  accountSid?: string
  messageProfileId?: string
  token?: string
  from?: string
  senderName?: string
  projectName?: string
  applicationId?: string
  clientId?: string
  baseUrl?: string
  webhookUrl?: string
  redirectUrl?: string
  serviceAccount?: string
  ipPoolName?: string
  apiKeyRequestHeader?: string
  secretKeyRequestHeader?: string
  idPath?: string
  datePath?: string
  apiToken?: string
  authenticationTokenKey?: string
  instanceId?: string
  alertUid?: string
  title?: string
  imageUrl?: string
  state?: string
  externalLink?: string
  channelId?: string
  phoneNumberIdentification?: string
  accessKey?: string
  appSid?: string
  senderId?: string
  AppIOBaseUrl?: string
  secure?: boolean
  requireTls?: boolean
  ignoreTls?: boolean
  hmac?: boolean
  authenticateByToken?: boolean
  tlsOptions?: Record<string, unknown>
}

export type Configurations = {
  inboundWebhookEnabled?: boolean
  inboundWebhookSigningKey?: string
  whenUnknown?: "atLeastOnce" | "atMostOnce"
}

/** With `check`: what came of it. Refused credentials are not saved. */
export type IntegrationCheck = {
  outcome: "accepted" | "not_reached" | "not_checked"
  /** Why it is not known whether the provider would accept them. */
  reason?: string
}

export type Integration = {
  _id: string
  _environmentId: string
  _organizationId: string
  name: string
  identifier: string
  providerId: string
  channel: "in_app" | "email" | "sms" | "chat" | "push"
  credentials: Credentials
  configurations: Configurations
  active: boolean
  deleted: boolean
  deletedAt?: string
  deletedBy?: string
  primary: boolean
  conditions: StepFilter[]
  check?: IntegrationCheck
}

export type Callbacks = {
  /** Calls of the vendor are taken. */
  enabled: boolean
  /** Where the vendor calls; null without PUBLIC_URL. `?key=…` stands for the signing key, which is not shown. */
  url: string | null
  lastAt: string | null
  /** The events of the last call that was believed, the first 20. */
  last: ({
    /** As the lines of a message: delivered, bounced, …; or `confirmed`. */
    kind: string
    /** The vendor's own word. */
    name?: string
    /** Null: it tells of no message that is known here. */
    messageId: string | null
    notificationId: string | null
  })[]
  refusedAt: string | null
  /** Why the last call was refused that was not believed. */
  refused: string | null
}

export type IntegrationTest = {
  outcome: "sent" | "retry" | "rejected" | "unknown"
  reason?: string
  /** The provider's id of the message. */
  id?: string
  /** The provider's answer as it came, without our credentials; null when there was none. */
  providerReply: {
    status: number
    body: string
  } | null
  durationMs: number
}

export type Invitation = {
  id: string
  email: string
  /** In the organization, and in each environment that is not named; null: only in those that are. */
  role: "owner" | "admin" | "author" | "operator" | "viewer" | null
  environments: ({
    environmentId: string
    /** Null: nothing there. */
    role: "admin" | "author" | "operator" | "viewer" | null
  })[]
  /** As they were called then. */
  invitedBy: string
  createdAt: string
  expiresAt: string
  /** What became of the mail; absent where none was made. */
  mail?: {
    /** Waiting with a reason: it was tried, and will be again. */
    state: "waiting" | "sent" | "failed"
    reason?: string
  }
}

export type NewInvitation = {
  id: string
  email: string
  /** In the organization, and in each environment that is not named; null: only in those that are. */
  role: "owner" | "admin" | "author" | "operator" | "viewer" | null
  environments: ({
    environmentId: string
    /** Null: nothing there. */
    role: "admin" | "author" | "operator" | "viewer" | null
  })[]
  /** As they were called then. */
  invitedBy: string
  createdAt: string
  expiresAt: string
  /** What became of the mail; absent where none was made. */
  mail?: {
    /** Waiting with a reason: it was tried, and will be again. */
    state: "waiting" | "sent" | "failed"
    reason?: string
  }
  /** Shown this once. Whole where PUBLIC_URL is set; else the path of a page here. */
  link: string
  /** Why no mail is sent: the link is to be handed over. */
  mailFault?: string
}

export type Member = {
  personId: string
  email: string
  name: string
  /** In the organization, and in each environment that is not named; null: only in those that are. */
  role: "owner" | "admin" | "author" | "operator" | "viewer" | null
  environments: ({
    environmentId: string
    /** Null: nothing there. */
    role: "admin" | "author" | "operator" | "viewer" | null
  })[]
  hasPassword: boolean
  /** Signs in with a second proof besides the password. */
  twoFactor: boolean
  createdAt: string
  /** To the minute. */
  lastSeenAt?: string
}

export type WhoActs = {
  _id: string
  firstName: string
  type: "person" | "key" | "link" | "command" | "service"
}

export type Message = {
  _id: string
  _templateId?: string | null
  _messageTemplateId?: string | null
  _feedId?: string | null
  _environmentId: string
  _organizationId: string
  _notificationId: string
  _subscriberId: string
  subscriber?: Subscriber
  template?: EmbeddedWorkflow
  templateIdentifier?: string
  createdAt: string
  deliveredAt?: string[]
  lastSeenDate?: string
  lastReadDate?: string
  snoozedUntil?: string
  /** Here always a string. */
  content?: string | EmailBlock[]
  transactionId: string
  subject?: string
  email?: string
  phone?: string
  title?: string
  providerId?: string
  errorId?: string
  errorText?: string
  channel: "in_app" | "email" | "sms" | "chat" | "push"
  read: boolean
  seen: boolean
  cta: MessageCTA
  status: "sent" | "error" | "warning"
  payload?: Record<string, unknown>
  overrides?: Record<string, unknown>
  contextKeys?: string[]
}

export type JobDigest = {
  type: "regular" | "backoff" | "timed"
  digestKey?: string
  amount?: number
  unit?: "seconds" | "minutes" | "hours" | "days" | "weeks" | "months"
  events?: Record<string, unknown>[]
  backoff?: boolean
  backoffAmount?: number
  backoffUnit?: "seconds" | "minutes" | "hours" | "days" | "weeks" | "months"
  /** Not sent. */
  updateMode?: boolean
  timed?: {
    atTime?: string
    weekDays?: ("monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday")[]
    monthDays?: number[]
    ordinal?: "1" | "2" | "3" | "4" | "5" | "last"
    ordinalValue?: "day" | "weekday" | "weekend" | "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"
    monthlyType?: "each" | "on"
    cronExpression?: string
    untilDate?: string
  }
}

export type ExecutionDetail = {
  _id: string
  createdAt: string
  status: "Success" | "Warning" | "Failed" | "Pending" | "Queued" | "ReadConfirmation"
  detail: string
  isRetry: boolean
  isTest: boolean
  providerId?: "emailjs" | "mailgun" | "mailjet" | "mandrill" | "nodemailer" | "postmark" | "sendgrid" | "sendinblue" | "ses" | "netcore" | "infobip-email" | "resend" | "plunk" | "mailersend" | "mailtrap" | "clickatell" | "outlook365" | "platform-email" | "sparkpost" | "email-webhook" | "braze" | "nexmo" | "plivo" | "sms77" | "sms-central" | "sns" | "telnyx" | "twilio" | "gupshup" | "firetext" | "infobip-sms" | "burst-sms" | "bulk-sms" | "isend-sms" | "forty-six-elks" | "kannel" | "maqsam" | "termii" | "africas-talking" | "platform-sms" | "sendchamp" | "generic-sms" | "clicksend" | "bandwidth" | "messagebird" | "simpletexting" | "azure-sms" | "ring-central" | "brevo-sms" | "eazy-sms" | "mobishastra" | "afro-message" | "unifonic" | "smsmode" | "imedia" | "sinch" | "fcm" | "apns" | "expo" | "one-signal" | "pushpad" | "push-webhook" | "pusher-beams" | "appio" | "platform" | "slack" | "discord" | "msteams" | "mattermost" | "ryver" | "zulip" | "grafana-on-call" | "getstream" | "rocket-chat" | "whatsapp-business" | "chat-webhook" | "platform-slack"
  raw?: string
  source: "Credentials" | "Internal" | "Payload" | "Webhook"
}

export type Job = {
  _id: string
  type: "in_app" | "email" | "sms" | "chat" | "push" | "digest" | "trigger" | "delay" | "throttle" | "custom"
  digest?: JobDigest
  executionDetails: ExecutionDetail[]
  step: {
    _id: string
    active: boolean
    filters: StepFilter[]
    _templateId: string
    name?: string
    metadata?: Record<string, unknown>
    replyCallback?: Record<string, unknown>
    template?: Record<string, unknown>
    variants?: {
      _id: string
      active: boolean
      filters: StepFilter[]
      _templateId: string
      name?: string
      metadata?: Record<string, unknown>
      template?: Record<string, unknown>
    }[]
    controlVariables?: Record<string, unknown>
    issues?: Record<string, unknown>
    _parentId?: string | null
  }
  overrides?: Record<string, unknown>
  payload?: Record<string, unknown>
  providerId: "emailjs" | "mailgun" | "mailjet" | "mandrill" | "nodemailer" | "postmark" | "sendgrid" | "sendinblue" | "ses" | "netcore" | "infobip-email" | "resend" | "plunk" | "mailersend" | "mailtrap" | "clickatell" | "outlook365" | "platform-email" | "sparkpost" | "email-webhook" | "braze" | "nexmo" | "plivo" | "sms77" | "sms-central" | "sns" | "telnyx" | "twilio" | "gupshup" | "firetext" | "infobip-sms" | "burst-sms" | "bulk-sms" | "isend-sms" | "forty-six-elks" | "kannel" | "maqsam" | "termii" | "africas-talking" | "platform-sms" | "sendchamp" | "generic-sms" | "clicksend" | "bandwidth" | "messagebird" | "simpletexting" | "azure-sms" | "ring-central" | "brevo-sms" | "eazy-sms" | "mobishastra" | "afro-message" | "unifonic" | "smsmode" | "imedia" | "sinch" | "fcm" | "apns" | "expo" | "one-signal" | "pushpad" | "push-webhook" | "pusher-beams" | "appio" | "platform" | "slack" | "discord" | "msteams" | "mattermost" | "ryver" | "zulip" | "grafana-on-call" | "getstream" | "rocket-chat" | "whatsapp-business" | "chat-webhook" | "platform-slack"
  status: string
  updatedAt?: string
  scheduleExtensionsCount?: number
  messages?: Record<string, unknown>[]
}

export type Activity = {
  _id: string
  _environmentId: string
  _organizationId: string
  _subscriberId: string
  transactionId: string
  _templateId?: string
  _digestedNotificationId?: string
  createdAt?: string
  updatedAt?: string
  channels?: ("in_app" | "email" | "sms" | "chat" | "push" | "digest" | "trigger" | "delay" | "throttle" | "custom")[]
  subscriber?: {
    subscriberId: string
    _id: string
    firstName?: string
    lastName?: string
    email?: string
    phone?: string
  }
  template?: {
    _id?: string
    name: string
    origin?: "platform-cloud" | "platform-cloud-v1" | "external"
    triggers: NotificationTrigger[]
  }
  jobs: Job[]
  payload?: Record<string, unknown>
  controls?: Record<string, unknown>
  to?: Record<string, unknown>
  tags?: string[]
  topics?: {
    _topicId: string
    topicKey: string
  }[]
  severity?: "high" | "medium" | "low" | "none"
  critical?: boolean
  contextKeys?: string[]
}

export type Attempt = {
  number: number
  providerId: string
  integrationId: string
  startedAt: string
  endedAt?: string
  outcome?: "sent" | "retry" | "rejected" | "unknown"
  /** Refused because of the integration, not of the message. */
  integrationRefused: boolean
  /** The provider's words. */
  reason?: string
}

export type SentMessage = {
  _id: string
  jobId: string
  stepId: string
  channel: "in_app" | "email" | "sms" | "chat" | "push"
  status: "sent" | "error" | "warning"
  delivery?: "open" | "sent" | "rejected" | "unknown" | "dead" | "canceled"
  subject?: string
  content: string
  /** E-mails, as they are sent. */
  html?: string
  text?: string
  to?: string
  from?: {
    email: string
    name?: string
  }
  replyTo?: string
  cta: MessageCTA
  avatar?: string
  data?: Record<string, unknown>
  providerId?: string
  integrationId?: string
  /** The provider's id of the message. */
  externalId?: string
  feedback?: "delivered" | "bounced" | "complained"
  errorId?: string
  errorText?: string
  createdAt: string
  updatedAt: string
  nextTryAt?: string
  expiresAt?: string
  attempts: Attempt[]
}

export type Trouble = {
  code: "no_worker" | "dead_letters" | "provider_failing" | "no_integration" | "events_waiting" | "timers_late" | "workflow_failing" | "tasks_quarantined" | "deliveries_unknown" | "bounces_growing" | "webhook_disabled" | "webhook_failing"
  severity: "error" | "warning"
  text: string
  advice: string
  count: number
  target: {
    page: "dead-letters" | "integrations" | "activity" | "workflows" | "suppressions" | "webhooks"
    channel?: "in_app" | "email" | "sms" | "chat" | "push"
    providerId?: string
    workflowId?: string
    outcome?: "accepted" | "notified" | "sent" | "failed" | "unknown" | "retried" | "skipped" | "merged" | "canceled" | "redriven" | "delivered" | "bounced" | "complained"
    endpointId?: string
  }
}

export type NumbersNow = {
  at: string
  status: "ok" | "error" | "warning"
  /** Events that are accepted and have people left to reach. */
  waiting: {
    events: number
    capped: boolean
    oldestSeconds: number
  }
  /** The worst first. */
  items: Trouble[]
  cursor: string
}

export type NumbersSeries = {
  key: {
    outcome: "accepted" | "notified" | "sent" | "failed" | "unknown" | "retried" | "skipped" | "merged" | "canceled" | "redriven" | "delivered" | "bounced" | "complained"
    channel?: "in_app" | "email" | "sms" | "chat" | "push"
    workflowId?: string
    workflowName?: string
    providerId?: string
  }
  total: number
  /** Oldest first. A step without a point counts nothing. */
  points: {
    at: string
    n: number
  }[]
}

export type Numbers = {
  from: string
  to: string
  step: "minute" | "hour" | "day"
  /** The largest first. */
  series: NumbersSeries[]
  /** There are smaller series than those shown; the totals count them too. */
  hasMore: boolean
  totals: {
    accepted: number
    notified: number
    sent: number
    failed: number
    unknown: number
    retried: number
    skipped: number
    merged: number
    canceled: number
    redriven: number
    delivered: number
    bounced: number
    complained: number
  }
  /** Another one means that something has changed since. */
  cursor: string
}

export type Organization = {
  id: string
  name: string
  /** The e-mail integration that sends invitations and resets. From then on only owners change it. */
  mail: {
    environmentId: string
    integrationId: string
  } | null
  /** Whoever comes by a password and has no second proof is let in only to set one up. */
  requireTwoFactor: boolean
  /** owners-only: everybody else comes in by a sign-in connection. */
  passwords: "allowed" | "owners-only"
  /** What sends its mails now, chosen or, in development, the mailbox of its first environment. */
  mailBy: {
    environmentId: string
    integrationId: string
    name: string
    providerId: string
  } | null
  /** Why no mail can be made now. */
  mailFault?: string
}

export type OrganizationName = {
  _id: string
  name: string
}

export type CallbackSetup = {
  /** What `inboundWebhookSigningKey` is: the vendor's name for it, and where it is found. */
  key: {
    label: string
    help: string
  }
  /** The vendor signs nothing: the address it is given holds the key. */
  keyInUrl: boolean
  /** Each message names the address, if PUBLIC_URL is set: nothing has to be set up at the vendor. */
  perMessage: boolean
}

export type CredentialField = {
  /** The field of `credentials`. */
  name: string
  /** What the vendor calls it. */
  label: string
  help?: string
  kind: "text" | "url" | "host" | "port" | "flag" | "choice" | "object"
  secret: boolean
  /** Must be there before the integration can be active. */
  required: boolean
  /** Of a choice. */
  values?: string[]
  /** Decides which server the secrets go to: when it changes, they must be sent again. */
  where: boolean
}

export type Provider = {
  providerId: string
  channel: "in_app" | "email" | "sms" | "chat" | "push"
  displayName: string
  documentation?: string
  /** Where request and replies come from. */
  verified: string
  tier: "T0" | "T1" | "T2" | "T3"
  idempotencyWindowMs?: number
  /** Our id goes with the message: one in doubt can be found by it. */
  traceable: boolean
  whenUnknown: "atLeastOnce" | "atMostOnce"
  tokensPerCall?: number
  usesSubscriberWebhook: boolean
  developmentOnly: boolean
  /** False: for development only, and this is production. */
  available: boolean
  /** The credentials can be checked without sending anything. */
  canCheck: boolean
  /** The vendor can tell us what became of messages. */
  callbacks: boolean
  callbackSetup?: CallbackSetup
  /** The vendor tells what became of messages when it is asked: we ask. */
  receipts: boolean
  /** The types of channel endpoints it sends to. */
  endpoints: string[]
  /** Its app is installed in workspaces by OAuth (channel connections). */
  connects: boolean
  /** Of such an app: what to register at the vendor. Missing: PUBLIC_URL is not set. */
  redirectUri?: string
  /** People are linked to its bot by opening an address. */
  links: boolean
  /** One of ours: the published clients do not know its id. */
  further: boolean
  /** Where no single credential is always required: what it takes, in words. */
  needs?: string
  credentials: CredentialField[]
}

export type ResourceDiff = {
  resourceType: string
  kind: "workflow" | "layout" | "translation" | "setting"
  /** The workflowId or layoutId; of words, as in workflows/order/de_AT; of a setting, its name. */
  resourceId: string
  name: string
  action: "added" | "modified" | "deleted"
  /** It is only in the target and did not come by publishing: it stays, unless it is chosen. */
  onlyIfChosen: boolean
  sourceResource: {
    id: string | null
    name: string | null
    updatedAt: string | null
    updatedBy: {
      _id: string
      firstName: string
    } | null
  } | null
  targetResource: {
    id: string | null
    name: string | null
    updatedAt: string | null
    updatedBy: {
      _id: string
      firstName: string
    } | null
  } | null
  changes: ResourceChange[]
  /** There are more changes than are shown. */
  isShortened: boolean
  summary: {
    added: number
    modified: number
    deleted: number
    unchanged: number
  }
  dependencies?: ({
    resourceType: string
    kind: "workflow" | "layout" | "translation" | "setting"
    /** The workflowId or layoutId; of words, as in workflows/order/de_AT; of a setting, its name. */
    resourceId: string
    resourceName: string
    isBlocking: boolean
    reason: "LAYOUT_REQUIRED_FOR_WORKFLOW" | "LAYOUT_EXISTS_IN_TARGET"
  })[]
  /** What differs too and is published with it, also what those need in turn. */
  needs: ({
    kind: "workflow" | "layout" | "translation" | "setting"
    resourceId: string
  })[]
  warnings: string[]
}

export type PublicationDetail = {
  _id: string
  sourceEnvironmentId?: string
  /** As the source was called then. */
  sourceName?: string
  /** What was put back, in place of a source. */
  restored?: {
    publicationId: string
    state: "before" | "after"
  }
  note?: string
  summary: {
    added: number
    modified: number
    deleted: number
  }
  createdAt: string
  createdBy?: {
    _id: string
    /** Of the person or API key, as far as it is known. */
    name?: string
    type?: "person" | "key" | "link" | "command" | "service"
  }
  changes: ({
    kind: string
    resourceId: string
    name: string
    action: "added" | "modified" | "deleted"
  })[]
  /** What changed, line by line. */
  resources: ResourceDiff[]
}

export type Publication = {
  _id: string
  sourceEnvironmentId?: string
  /** As the source was called then. */
  sourceName?: string
  /** What was put back, in place of a source. */
  restored?: {
    publicationId: string
    state: "before" | "after"
  }
  note?: string
  summary: {
    added: number
    modified: number
    deleted: number
  }
  createdAt: string
  createdBy?: {
    _id: string
    /** Of the person or API key, as far as it is known. */
    name?: string
    type?: "person" | "key" | "link" | "command" | "service"
  }
}

export type PublishedEnvironment = {
  results: ({
    resourceType: string
    kind: "workflow" | "layout" | "translation" | "setting"
    successful: ({
      resourceType: string
      kind: "workflow" | "layout" | "translation" | "setting"
      /** The workflowId or layoutId; of words, as in workflows/order/de_AT; of a setting, its name. */
      resourceId: string
      resourceName: string
      action: "created" | "updated" | "deleted"
    })[]
    /** Always empty: all of it is published, or nothing. */
    failed: ({
      resourceType: string
      kind: "workflow" | "layout" | "translation" | "setting"
      /** The workflowId or layoutId; of words, as in workflows/order/de_AT; of a setting, its name. */
      resourceId: string
      resourceName: string
      error: string
    })[]
    skipped: ({
      resourceType: string
      kind: "workflow" | "layout" | "translation" | "setting"
      /** The workflowId or layoutId; of words, as in workflows/order/de_AT; of a setting, its name. */
      resourceId: string
      resourceName: string
      reason: string
    })[]
    totalProcessed: number
  })[]
  summary: {
    resources: number
    successful: number
    failed: number
    skipped: number
  }
  dryRun: boolean
  fingerprint: string
  /** Absent when nothing was changed. */
  publicationId?: string
}

export type Send = {
  transactionId: string
  eventId: string
  workflowId: string
  workflowName: string
  kind: "broadcast" | "topic" | "list"
  /** running: it goes out. canary: the first people are sent to. waiting: they are through, and it waits for a person or a time. paused: it stands still. canceling: nothing begins, and what was written is taken back. */
  state: "running" | "canary" | "waiting" | "paused" | "canceling" | "canceled" | "done"
  reason: string | null
  reasonText: string | null
  since: string
  createdAt: string
  resumesAt: string | null
  canaryPeople: number | null
  /** It is stopped when too much of it fails. */
  guarded: boolean
  bounds: {
    failuresPercent: number
    complaintsPercent: number
  } | null
  people: {
    total: number | null
    /** Reached: they have a notification. */
    written: number
    /** Not reached yet. */
    left: number
    /** Not reached because it was canceled. */
    leftOut: number
  }
  messages: {
    /** To be sent, or between two tries. */
    waiting: number
    sent: number
    /** Refused, or could not be made. */
    failed: number
    /** Given up after tries; can be redriven. */
    dead: number
    /** No clear answer: may have been sent. */
    unknown: number
    /** Suppressed, or without an address. */
    skipped: number
    canceled: number
  }
  feedback: {
    delivered: number
    bounced: number
    complained: number
  }
  steps: {
    skipped: number
    failed: number
    canceled: number
    merged: number
  }
  channels: Record<string, unknown>
  may: {
    pause: boolean
    resume: boolean
    cancel: boolean
  }
  /** The oldest first. */
  history: ({
    at: string
    state: string
    reason: string | null
    text: string | null
    by: string | null
  })[]
}

export type CheckedSignInConnection = {
  /** As far as one can see without signing in. */
  works: boolean
  /** What keeps people out. */
  faults: string[]
  /** What is good to know. */
  notes: string[]
}

export type SignInConnection = {
  id: string
  /** As the button at the sign-in says: Continue with … */
  name: string
  /** As the issuer calls itself; begins with https. */
  issuer: string
  /** What the issuer calls this installation. */
  clientId: string
  /** What is asked of the issuer besides openid; usually email and profile. */
  scopes: string[]
  /** It vouches for e-mail addresses of these alone; subdomains are others. */
  domains: string[]
  /** Its issuer never says that it has checked an address, but people cannot choose theirs there. */
  trustsEmail: boolean
  /** Where the issuer names the groups of a person, such as groups or realm_access.roles. */
  groupsClaim: string | null
  /** In order: the first group that somebody is in says what they are. */
  groupRoles: ({
    group: string
    role: "owner" | "admin" | "author" | "operator" | "viewer"
  })[]
  /** For those in none of the groups; null: they may not come in. */
  defaultRole: "owner" | "admin" | "author" | "operator" | "viewer" | null
  /** Whoever it vouches for becomes a member; otherwise only who was invited. */
  joins: boolean
  /** Off: nobody comes in by it, and whoever did is signed out. */
  active: boolean
}

export type FeedItem = {
  _id: string
  _templateId: string
  _environmentId: string
  _messageTemplateId?: string
  _organizationId: string
  _notificationId: string
  _subscriberId: string
  _feedId?: string | null
  _jobId: string
  createdAt?: string | null
  updatedAt?: string | null
  actor?: {
    data: string | null
    type: "none" | "user" | "system_icon" | "system_custom"
  }
  subscriber?: {
    _id?: string
    firstName?: string
    lastName?: string
    avatar?: string
    subscriberId: string
  }
  transactionId: string
  templateIdentifier?: string | null
  providerId?: string | null
  content: string
  subject?: string | null
  channel: "in_app" | "email" | "sms" | "chat" | "push"
  read: boolean
  seen: boolean
  archived: boolean
  deviceTokens?: string[] | null
  cta: MessageCTA
  status: "sent" | "error" | "warning"
  payload?: Record<string, unknown>
  data?: Record<string, unknown> | null
  overrides?: Record<string, unknown>
  tags?: string[] | null
}

export type Suppression = {
  channel: "email" | "sms"
  /** In lower case. */
  address: string
  reason: "bounced" | "complained" | "unsubscribed"
  /** The message that bounced or that was complained about. */
  messageId?: string
  createdAt: string
}

export type Tenant = {
  _id: string
  identifier: string
  name?: string
  data?: Record<string, unknown>
  _environmentId: string
  createdAt: string
  updatedAt: string
}

export type WebhookEndpointWithSecret = {
  _id: string
  url: string
  description: string | null
  /** Null: everything. */
  eventTypes: string[] | null
  status: "enabled" | "disabled"
  /** Null: it works, or you disabled it. */
  disabledReason: string | null
  /** Since when everything that was tried has failed. */
  failingSince: string | null
  createdAt: string
  updatedAt: string
  /** Shown now and never again. */
  secret: string
}

export type WebhookTry = {
  number: number
  startedAt: string
  endedAt: string | null
  /** `paced`: asked to wait (429). `unknown`: nobody recorded what became of it. */
  outcome: "delivered" | "failed" | "paced" | "unknown"
  /** Of the HTTP reply; null: there was none. */
  status: number | null
  /** The first 500 characters of the reply, or why there was none. */
  reply: string | null
}

export type WebhookDelivery = {
  /** Of the event: `webhook-id` in every try. */
  _id: string
  type: "message.sent" | "message.failed" | "message.delivered" | "message.bounced" | "message.complained" | "message.seen" | "message.read" | "message.unread" | "message.archived" | "message.unarchived" | "message.snoozed" | "message.unsnoozed" | "message.deleted" | "notification.completed" | "preference.updated" | "subscriber.created" | "subscriber.updated" | "subscriber.deleted" | "workflow.created" | "workflow.updated" | "workflow.deleted" | "workflow.published" | "endpoint.test"
  status: "open" | "delivered" | "failed"
  event: {
    type: string
    timestamp: string
    environmentId: string
    data: Record<string, unknown>
  }
  /** Null: it is settled, or being tried now. */
  nextTryAt: string | null
  /** The last 20, the oldest first. */
  tries: WebhookTry[]
  createdAt: string
}

export type WebhookEndpoint = {
  _id: string
  url: string
  description: string | null
  /** Null: everything. */
  eventTypes: string[] | null
  status: "enabled" | "disabled"
  /** Null: it works, or you disabled it. */
  disabledReason: string | null
  /** Since when everything that was tried has failed. */
  failingSince: string | null
  createdAt: string
  updatedAt: string
}

export type Context = {
  type: string
  id: string
  data: Record<string, unknown>
  createdAt: string
  updatedAt: string
}

export type EnvironmentDiff = {
  sourceEnvironmentId: string
  targetEnvironmentId: string
  resources: ResourceDiff[]
  summary: {
    totalEntities: number
    /** Of resources, without those that stay unless they are chosen. */
    totalChanges: number
    hasChanges: boolean
  }
  /** Given to publish, it publishes this and nothing else. */
  fingerprint: string
}

export type Layout = {
  _id: string
  layoutId: string
  slug: string
  name: string
  isDefault: boolean
  isTranslationEnabled: boolean
  /** Of the environment, in which it was last changed. */
  edition: number
  origin: string
  type: string
  createdAt: string
  updatedAt: string
  updatedBy: {
    /** Of the person or API key. */
    _id: string
    /** Their name, as far as it is known. */
    firstName?: string
  } | null
  variables: Record<string, unknown>
  controls: {
    values: {
      email: {
        body: string
        editorType: "html" | "block"
      }
    }
  }
  /** What of a document of blocks is not sent as it stands there. Nothing is held back. */
  issues?: {
    controls: Record<string, unknown>
  }
}

export type LayoutPreview = {
  result: {
    type: string
    preview: {
      body: string
      text?: string
    }
    errors: {
      /** The path in controlValues. */
      field: string
      message: string
    }[]
    warnings?: {
      /** The path in controlValues. */
      field: string
      message: string
    }[]
  }
  /** What it was rendered with. */
  previewPayloadExample: Record<string, unknown>
  schema: Record<string, unknown> | null
}

export type Topic = {
  _id: string
  key: string
  name?: string
  createdAt: string
  updatedAt: string
}

export type SubscriberSummary = {
  _id: string
  subscriberId: string
  avatar?: string | null
  firstName?: string | null
  lastName?: string | null
  email?: string | null
}

export type TopicSubscription = {
  _id: string
  identifier: string
  createdAt: string
  updatedAt: string
  topic: Topic
  subscriber: SubscriberSummary
}

export type ExportedPreferences = {
  choices: {
    /** Absent: for every workflow. */
    workflowId?: string
    enabled?: boolean
    channels: {
      in_app?: boolean
      email?: boolean
      sms?: boolean
      chat?: boolean
      push?: boolean
    }
    updatedAt: string
  }[]
  schedule?: {
    isEnabled: boolean
    weeklySchedule?: {
      monday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      tuesday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      wednesday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      thursday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      friday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      saturday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      sunday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
    }
  }
}

export type ChangedPreference = {
  level: "global" | "template"
  workflow: {
    id: string
    identifier: string
    name: string
    critical: boolean
    tags: string[]
    severity: "high" | "medium" | "low" | "none"
  }
  enabled: boolean
  channels: {
    in_app?: boolean
    email?: boolean
    sms?: boolean
    chat?: boolean
    push?: boolean
  }
}

export type SubscriberWorkflowPreference = {
  enabled: boolean
  /** The subscriber has no say in it. */
  readOnly: boolean
  channels: {
    in_app?: boolean
    email?: boolean
    sms?: boolean
    chat?: boolean
    push?: boolean
  }
  /** Who decided, channel by channel. */
  overrides: ({
    channel: "in_app" | "email" | "sms" | "chat" | "push"
    source: "subscriber" | "template" | "workflowOverride"
  })[]
  workflow: {
    slug: string
    identifier: string
    name: string
    critical: boolean
    updatedAt: string
  }
  updatedAt?: string
}

export type SubscriberPreferences = {
  global: {
    enabled: boolean
    channels: {
      in_app?: boolean
      email?: boolean
      sms?: boolean
      chat?: boolean
      push?: boolean
    }
    schedule?: {
      isEnabled: boolean
      weeklySchedule?: {
        monday?: {
          isEnabled: boolean
          hours?: {
            start: string
            end: string
          }[]
        }
        tuesday?: {
          isEnabled: boolean
          hours?: {
            start: string
            end: string
          }[]
        }
        wednesday?: {
          isEnabled: boolean
          hours?: {
            start: string
            end: string
          }[]
        }
        thursday?: {
          isEnabled: boolean
          hours?: {
            start: string
            end: string
          }[]
        }
        friday?: {
          isEnabled: boolean
          hours?: {
            start: string
            end: string
          }[]
        }
        saturday?: {
          isEnabled: boolean
          hours?: {
            start: string
            end: string
          }[]
        }
        sunday?: {
          isEnabled: boolean
          hours?: {
            start: string
            end: string
          }[]
        }
      }
    }
  }
  workflows: SubscriberWorkflowPreference[]
}

export type TopicMember = {
  _id: string
  identifier: string
  createdAt: string
  updatedAt: string
  topic: Topic
  subscriber: SubscriberSummary
  /** Every subscription of this member to the topic: names, contexts and choices. */
  subscriptions: Subscription[]
}

export type ChangedTopicSubscription = {
  _id: string
  identifier: string
  createdAt: string
  updatedAt: string
  topic: Topic
  subscriber: SubscriberSummary
  name?: string
  contextKeys: string[]
  preferences: SubscriptionPreference[]
}

export type Translation = {
  /** The workflowId or layoutId. */
  resourceId: string
  resourceType: "workflow" | "layout"
  /** As in en_US. */
  locale: string
  /** By key, nested or not. */
  content: Record<string, unknown>
  createdAt: string
  updatedAt: string
}

export type TranslationGroup = {
  resourceId: string
  resourceType: "workflow" | "layout"
  resourceName: string
  locales: string[]
  /** Those that lack keys which templates ask for. */
  outdatedLocales?: string[]
  createdAt: string
  updatedAt: string
}

export type MissingTranslations = {
  resourceId: string
  resourceType: "workflow" | "layout"
  defaultLocale: string
  /** What its templates ask for. */
  keys: string[]
  /** Not in the default language either: readers whose language has none see the name of the key. */
  untranslatedKeys: string[]
  locales: {
    locale: string
    /** Neither in this language nor in its parents. */
    missingKeys: string[]
    /** Translated, and asked for by no template. */
    unusedKeys: string[]
  }[]
}

/** All words of one language, by workflowId and layoutId. */
export type MasterTranslations = {
  workflows: Record<string, unknown>
  layouts: Record<string, unknown>
}

export type ImportedTranslations = {
  success: boolean
  message: string
  successful?: string[]
  failed?: string[]
}

export type UploadedTranslations = {
  totalFiles: number
  successfulUploads: number
  failedUploads: number
  errors: string[]
}

export type StepVariant = {
  name?: string
  filters: StepFilter[]
  controlValues: Record<string, unknown>
}

export type WorkflowStep = {
  _id: string
  stepId: string
  slug: string
  name: string
  type: "in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle" | "custom"
  active: boolean
  shouldStopOnFail: boolean
  filters: StepFilter[]
  when?: {
    stepId: string
    is: "seen" | "unseen" | "read" | "unread" | "sent" | "failed"
  }
  variants: StepVariant[]
  replyCallback?: {
    active?: boolean
    url?: string
  }
  controlValues: Record<string, unknown>
  controls: {
    values: Record<string, unknown>
  }
  /** What is not sent as it stands there, by field. Nothing is held back. */
  issues?: {
    controls: Record<string, unknown>
  }
  variables: Record<string, unknown>
  origin: string
  workflowId: string
  workflowDatabaseId: string
}

export type Workflow = {
  _id: string
  workflowId: string
  slug: string
  name: string
  tags: string[]
  active: boolean
  status: "ACTIVE" | "INACTIVE"
  /** Counts the changes of the definition. */
  version: number
  origin: string
  isTranslationEnabled: boolean
  createdAt: string
  updatedAt: string
  description: string
  severity: "high" | "medium" | "low" | "none"
  critical: boolean
  validatePayload: boolean
  payloadSchema: Record<string, unknown> | null
  ttl?: {
    amount: number
    unit: "seconds" | "minutes" | "hours" | "days" | "weeks" | "months"
  }
  preferences: {
    user: {
      all: {
        enabled: boolean
        readOnly: boolean
      }
      channels: {
        in_app: {
          enabled: boolean
        }
        email: {
          enabled: boolean
        }
        sms: {
          enabled: boolean
        }
        chat: {
          enabled: boolean
        }
        push: {
          enabled: boolean
        }
      }
    } | null
    default: {
      all: {
        enabled: boolean
        readOnly: boolean
      }
      channels: {
        in_app: {
          enabled: boolean
        }
        email: {
          enabled: boolean
        }
        sms: {
          enabled: boolean
        }
        chat: {
          enabled: boolean
        }
        push: {
          enabled: boolean
        }
      }
    }
  }
  steps: WorkflowStep[]
  /** By language: how many keys its templates ask for that are not translated. */
  missingTranslations?: Record<string, number>
}

export type WorkflowSummary = {
  _id: string
  workflowId: string
  slug: string
  name: string
  tags: string[]
  active: boolean
  status: "ACTIVE" | "INACTIVE"
  /** Counts the changes of the definition. */
  version: number
  origin: string
  isTranslationEnabled: boolean
  createdAt: string
  updatedAt: string
  stepTypeOverviews: ("in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle" | "custom")[]
  steps: ({
    slug: string
    type: "in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle" | "custom"
  })[]
}

export type StepPreview = {
  result: {
    type: "in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle" | "custom"
    /** What the person would see; for steps that wait: `until` when. */
    preview: Record<string, unknown>
    errors: {
      /** The path in controlValues. */
      field: string
      message: string
    }[]
    /** What is not sent as it stands there, and translations that are missing. */
    warnings?: {
      /** The path in controlValues. */
      field: string
      message: string
    }[]
    error?: {
      title: string
      message: string
      hint: string
    }
  }
  /** False: the step would be skipped for this person and payload. */
  applies: boolean
  why?: string
  /** The variant that applies. */
  variant?: string
  /** What it was rendered with. */
  previewPayloadExample: Record<string, unknown>
  schema: Record<string, unknown> | null
}

export type WorkflowVersion = {
  version: number
  current: boolean
  createdAt?: string
  /** The person or API key, also a key that somebody signed in with; else where it was saved. */
  createdBy?: {
    id: string
    name: string
    type?: "person" | "key" | "link" | "command" | "service"
  }
  /** It came by publishing. */
  publication?: {
    _id: string
    /** As the source was called then. */
    sourceName?: string
    /** An earlier state was put back. */
    restored?: boolean
  }
  workflow: Workflow
}

export type Session = {
  environment: {
    id: string
    name: string
    /** Part of its address: /env/<slug>/workflows. */
    slug: string
    color: string
    type: "dev" | "prod"
    protected: boolean
  }
  /** Those one can go to from here, this one too. */
  environments: ({
    id: string
    name: string
    /** Part of its address: /env/<slug>/workflows. */
    slug: string
    color: string
    type: "dev" | "prod"
    protected: boolean
    /** Whether one may publish to it, and put it back. */
    mayPublish: boolean
  })[]
  organization: {
    id: string
    name?: string
  }
  reach: "environment" | "organization"
  /** What one may do here. */
  permissions: ("read" | "trigger" | "content" | "switch" | "operate" | "cancel" | "subscribers" | "inbox" | "credentials" | "keys" | "settings" | "publish" | "record" | "organizationRecord" | "environments" | "members" | "signIn" | "owners")[]
  signedInBy: "key" | "link" | "person"
  person?: {
    id: string
    email: string
    name: string
    hasPassword: boolean
    /** Signs in with a second proof besides the password. */
    twoFactor: boolean
  }
  /** What the person is in this environment. */
  role?: "owner" | "admin" | "author" | "operator" | "viewer"
  /** The organization asks for it: until it is there, one has no permission here. */
  mustSetUp?: "two-factor"
  keyId?: string
  expiresAt: string
}

export type Account = {
  personId: string
  email: string
  name: string
  hasPassword: boolean
  /** Signs in with a second proof besides the password. */
  twoFactor: boolean
  recoveryCodesLeft: number
  /** The one used last comes first. */
  organizations: ({
    id: string
    name: string
    /** Null: only something in some of its environments. */
    role: "owner" | "admin" | "author" | "operator" | "viewer" | null
    /** This session is in it. */
    current: boolean
  })[]
}

export type OwnSession = {
  id: string
  /** The one of this request. */
  current: boolean
  organization: {
    id: string
    name: string
  }
  /** To the minute. */
  lastSeenAt: string
  expiresAt: string
  /** Where it was opened. */
  address?: string
  /** The browser, as it calls itself. */
  agent?: string
}

export type BroadcastEvent = {
  name: string
  payload?: Record<string, unknown> | null
  overrides?: Record<string, unknown> | null
  transactionId?: string | null
  actor?: string | SubscriberRecipient
  tenant?: string | null | {
    identifier: string
  }
  /** The contexts, by type. Each value is an id, or an object with an `id`. */
  context?: Record<string, string | {
    id: string
    data?: Record<string, unknown>
  }> | null
  /** Refused, unless it is the bridge of the environment (`/v1/bridge/sync`). */
  bridgeUrl?: string | null
}

export type CancelResult = {
  acknowledged: boolean
  /** Jobs stopped: steps that waited, and one more when not all recipients had been reached yet. */
  canceled: number
}

export type ListSubscribers = {
  /** Fetch what follows this cursor. */
  after?: string
  /** Fetch what precedes this cursor. */
  before?: string
  limit?: number
  orderDirection?: "ASC" | "DESC"
  orderBy?: "_id" | "createdAt" | "updatedAt" | "subscriberId"
  /** Include the item the cursor stands on. */
  includeCursor?: boolean
  /** A part of the e-mail address, case-sensitive. */
  email?: string
  /** A part of "first last", case-sensitive. */
  name?: string
  /** A part of the phone number. */
  phone?: string
  /** The whole subscriberId. */
  subscriberId?: string
  /** A part of name, e-mail address or phone number in upper or lower case, or the whole subscriberId. */
  search?: string
}

export type SubscriberPage = {
  data: Subscriber[]
  next: string | null
  previous: string | null
  totalCount: number
  totalCountCapped: boolean
}

export type CreateSubscriber = {
  subscriberId: string
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  phone?: string | null
  avatar?: string | null
  timezone?: string | null
  locale?: string | null
  data?: Record<string, unknown> | null
}

export type CreateSubscriberOptions = {
  failIfExists?: boolean
}

export type CreateSubscribersResult = {
  created: {
    subscriberId: string
  }[]
  updated: {
    subscriberId: string
  }[]
  failed: {
    subscriberId?: string
    message: string
  }[]
}

export type UpdateSubscriber = {
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  phone?: string | null
  avatar?: string | null
  timezone?: string | null
  locale?: string | null
  data?: Record<string, unknown> | null
}

export type DeleteResult = {
  acknowledged: boolean
  status: string
}

export type ListSubscriberPreferences = {
  criticality?: "critical" | "nonCritical" | "all"
}

export type UpdateSubscriberPreferences = {
  /** Of a workflow: workflowId, _id or slug. */
  workflowId?: string
  enabled?: boolean | null
  channels?: {
    in_app?: boolean | null
    email?: boolean | null
    sms?: boolean | null
    chat?: boolean | null
    push?: boolean | null
  }
  schedule?: {
    isEnabled: boolean
    weeklySchedule?: {
      monday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      tuesday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      wednesday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      thursday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      friday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      saturday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      sunday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
    }
  } | null
}

export type SetSubscriberCredentials = {
  providerId: "slack" | "discord" | "msteams" | "mattermost" | "ryver" | "zulip" | "grafana-on-call" | "getstream" | "rocket-chat" | "whatsapp-business" | "chat-webhook" | "platform-slack" | "fcm" | "apns" | "expo" | "one-signal" | "pushpad" | "push-webhook" | "pusher-beams" | "appio"
  integrationIdentifier?: string
  credentials: ChannelCredentials
}

export type ListSubscriberNotifications = {
  limit?: number
  /** The id of the last notification of the page before. */
  after?: string
  offset?: number
  read?: boolean
  seen?: boolean
  archived?: boolean
  snoozed?: boolean
  severity?: ("high" | "medium" | "low" | "none")[]
  /** Milliseconds. */
  createdGte?: number
  /** Milliseconds. */
  createdLte?: number
  tags?: string[]
  /** A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
  data?: string
  contextKeys?: string[]
}

export type SubscriberNotificationPage = {
  data: InboxNotification[]
  hasMore: boolean
  filter: Record<string, unknown>
}

export type ListTopics = {
  /** Fetch what follows this cursor. */
  after?: string
  /** Fetch what precedes this cursor. */
  before?: string
  limit?: number
  orderDirection?: "ASC" | "DESC"
  orderBy?: "_id" | "createdAt" | "updatedAt" | "key" | "name"
  /** Include the item the cursor stands on. */
  includeCursor?: boolean
  /** A part of the key, case-sensitive. */
  key?: string
  /** A part of the name, case-sensitive. */
  name?: string
}

export type TopicPage = {
  data: Topic[]
  next: string | null
  previous: string | null
  totalCount: number
  totalCountCapped: boolean
}

export type CreateTopic = {
  key: string
  name?: string
}

export type CreateTopicOptions = {
  failIfExists?: boolean
}

export type UpdateTopic = {
  name?: string
}

export type DeleteTopicResult = {
  acknowledged: boolean
}

export type ListTopicSubscriptions = {
  /** Fetch what follows this cursor. */
  after?: string
  /** Fetch what precedes this cursor. */
  before?: string
  limit?: number
  orderDirection?: "ASC" | "DESC"
  orderBy?: "_id" | "createdAt"
  /** Include the item the cursor stands on. */
  includeCursor?: boolean
  /** Only this subscriber. */
  subscriberId?: string
}

export type TopicSubscriptionPage = {
  data: TopicMember[]
  next: string | null
  previous: string | null
  totalCount: number
  totalCountCapped: boolean
}

export type SubscribeResult = {
  data: TopicSubscription[]
  meta: {
    totalCount: number
    successful: number
    failed: number
  }
  errors?: {
    subscriberId: string
    code: string
    message: string
  }[]
}

export type UnsubscribeResult = {
  data: TopicSubscription[]
  meta: {
    totalCount: number
    successful: number
    failed: number
  }
  errors?: {
    subscriberId: string
    code: string
    message: string
  }[]
}

export type ListWorkflows = {
  /** Fetch what follows this cursor. */
  after?: string
  /** Fetch what precedes this cursor. */
  before?: string
  limit?: number
  orderDirection?: "ASC" | "DESC"
  orderBy?: "_id" | "createdAt" | "updatedAt" | "name" | "workflowId"
  /** Include the item the cursor stands on. */
  includeCursor?: boolean
  /** Skip this many; cursors are better, and win. */
  offset?: number
  /** A part of the name or workflowId, case-sensitive. */
  query?: string
  /** Any of these. */
  tags?: string[]
  /** Any of these. */
  status?: ("ACTIVE" | "INACTIVE" | "ERROR")[]
}

export type WorkflowPage = {
  data: WorkflowSummary[]
  next: string | null
  previous: string | null
  totalCount: number
  totalCountCapped: boolean
  workflows: WorkflowSummary[]
}

export type CreateWorkflow = {
  workflowId: string
  name: string
  description?: string
  active?: boolean
  tags?: string[]
  severity?: "high" | "medium" | "low" | "none"
  critical?: boolean
  validatePayload?: boolean
  payloadSchema?: Record<string, unknown> | null
  isTranslationEnabled?: boolean
  preferences?: {
    user?: {
      all?: {
        enabled?: boolean
        readOnly?: boolean
      }
      channels?: {
        in_app?: {
          enabled?: boolean
        }
        email?: {
          enabled?: boolean
        }
        sms?: {
          enabled?: boolean
        }
        chat?: {
          enabled?: boolean
        }
        push?: {
          enabled?: boolean
        }
      }
    } | null
    workflow?: {
      all?: {
        enabled?: boolean
        readOnly?: boolean
      }
      channels?: {
        in_app?: {
          enabled?: boolean
        }
        email?: {
          enabled?: boolean
        }
        sms?: {
          enabled?: boolean
        }
        chat?: {
          enabled?: boolean
        }
        push?: {
          enabled?: boolean
        }
      }
    } | null
    default?: {
      all?: {
        enabled?: boolean
        readOnly?: boolean
      }
      channels?: {
        in_app?: {
          enabled?: boolean
        }
        email?: {
          enabled?: boolean
        }
        sms?: {
          enabled?: boolean
        }
        chat?: {
          enabled?: boolean
        }
        push?: {
          enabled?: boolean
        }
      }
    } | null
  } | null
  ttl?: {
    amount: number
    unit: "seconds" | "minutes" | "hours" | "days" | "weeks" | "months"
  } | null
  steps: ({
    _id?: string
    stepId?: string
    name: string
    type: "in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle"
    active?: boolean
    shouldStopOnFail?: boolean
    controlValues?: Record<string, unknown> | null
    filters?: ({
      isNegated?: boolean
      type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP"
      value?: "AND" | "OR"
      children?: ({
        field: string
        value: string
        operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN"
        on: "subscriber" | "payload"
      })[]
    })[]
    when?: {
      stepId: string
      is: "seen" | "unseen" | "read" | "unread" | "sent" | "failed"
    } | null
    variants?: ({
      name?: string
      filters?: ({
        isNegated?: boolean
        type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP"
        value?: "AND" | "OR"
        children?: ({
          field: string
          value: string
          operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN"
          on: "subscriber" | "payload"
        })[]
      })[]
      controlValues?: Record<string, unknown> | null
    })[]
    replyCallback?: {
      active?: boolean
      url?: string
    } | null
  })[]
}

export type UpdateWorkflow = {
  name?: string
  active?: boolean
  description?: string
  tags?: string[]
  validatePayload?: boolean
  payloadSchema?: Record<string, unknown> | null
  isTranslationEnabled?: boolean
}

export type ReplaceWorkflow = {
  name: string
  description?: string
  active?: boolean
  tags?: string[]
  severity?: "high" | "medium" | "low" | "none"
  critical?: boolean
  validatePayload?: boolean
  payloadSchema?: Record<string, unknown> | null
  isTranslationEnabled?: boolean
  preferences?: {
    user?: {
      all?: {
        enabled?: boolean
        readOnly?: boolean
      }
      channels?: {
        in_app?: {
          enabled?: boolean
        }
        email?: {
          enabled?: boolean
        }
        sms?: {
          enabled?: boolean
        }
        chat?: {
          enabled?: boolean
        }
        push?: {
          enabled?: boolean
        }
      }
    } | null
    workflow?: {
      all?: {
        enabled?: boolean
        readOnly?: boolean
      }
      channels?: {
        in_app?: {
          enabled?: boolean
        }
        email?: {
          enabled?: boolean
        }
        sms?: {
          enabled?: boolean
        }
        chat?: {
          enabled?: boolean
        }
        push?: {
          enabled?: boolean
        }
      }
    } | null
    default?: {
      all?: {
        enabled?: boolean
        readOnly?: boolean
      }
      channels?: {
        in_app?: {
          enabled?: boolean
        }
        email?: {
          enabled?: boolean
        }
        sms?: {
          enabled?: boolean
        }
        chat?: {
          enabled?: boolean
        }
        push?: {
          enabled?: boolean
        }
      }
    } | null
  } | null
  ttl?: {
    amount: number
    unit: "seconds" | "minutes" | "hours" | "days" | "weeks" | "months"
  } | null
  steps: ({
    _id?: string
    stepId?: string
    name: string
    type: "in_app" | "email" | "sms" | "push" | "chat" | "delay" | "digest" | "throttle"
    active?: boolean
    shouldStopOnFail?: boolean
    controlValues?: Record<string, unknown> | null
    filters?: ({
      isNegated?: boolean
      type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP"
      value?: "AND" | "OR"
      children?: ({
        field: string
        value: string
        operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN"
        on: "subscriber" | "payload"
      })[]
    })[]
    when?: {
      stepId: string
      is: "seen" | "unseen" | "read" | "unread" | "sent" | "failed"
    } | null
    variants?: ({
      name?: string
      filters?: ({
        isNegated?: boolean
        type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP"
        value?: "AND" | "OR"
        children?: ({
          field: string
          value: string
          operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN"
          on: "subscriber" | "payload"
        })[]
      })[]
      controlValues?: Record<string, unknown> | null
    })[]
    replyCallback?: {
      active?: boolean
      url?: string
    } | null
  })[]
}

export type CreateIntegration = {
  providerId: string
  channel: "in_app" | "email" | "sms" | "chat" | "push"
  name?: string
  identifier?: string
  _environmentId?: string
  active?: boolean
  check?: boolean
  credentials?: {
    apiKey?: string | null
    user?: string | null
    secretKey?: string | null
    domain?: string | null
    password?: string | null
    host?: string | null
    port?: string | null
    region?: string | null
    accountSid?: string | null
    messageProfileId?: string | null
    token?: string | null
    from?: string | null
    senderName?: string | null
    projectName?: string | null
    applicationId?: string | null
    clientId?: string | null
    baseUrl?: string | null
    webhookUrl?: string | null
    redirectUrl?: string | null
    serviceAccount?: string | null
    ipPoolName?: string | null
    apiKeyRequestHeader?: string | null
    secretKeyRequestHeader?: string | null
    idPath?: string | null
    datePath?: string | null
    apiToken?: string | null
    authenticationTokenKey?: string | null
    instanceId?: string | null
    alertUid?: string | null
    title?: string | null
    imageUrl?: string | null
    state?: string | null
    externalLink?: string | null
    channelId?: string | null
    phoneNumberIdentification?: string | null
    accessKey?: string | null
    appSid?: string | null
    senderId?: string | null
    AppIOBaseUrl?: string | null
    secure?: boolean | null
    requireTls?: boolean | null
    ignoreTls?: boolean | null
    hmac?: boolean | null
    authenticateByToken?: boolean | null
    tlsOptions?: Record<string, unknown> | null
  }
  conditions?: ({
    isNegated?: boolean
    type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP"
    value?: "AND" | "OR"
    children?: ({
      field: string
      value: string
      operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN"
      on: "subscriber" | "payload"
    })[]
  })[]
  configurations?: {
    inboundWebhookEnabled?: boolean | null
    inboundWebhookSigningKey?: string | null
    /** What to do when nobody can say whether a message went out: send it again, or leave it. */
    whenUnknown?: "atLeastOnce" | "atMostOnce" | null
  }
}

export type UpdateIntegration = {
  name?: string
  identifier?: string
  _environmentId?: string
  active?: boolean
  check?: boolean
  credentials?: {
    apiKey?: string | null
    user?: string | null
    secretKey?: string | null
    domain?: string | null
    password?: string | null
    host?: string | null
    port?: string | null
    region?: string | null
    accountSid?: string | null
    messageProfileId?: string | null
    token?: string | null
    from?: string | null
    senderName?: string | null
    projectName?: string | null
    applicationId?: string | null
    clientId?: string | null
    baseUrl?: string | null
    webhookUrl?: string | null
    redirectUrl?: string | null
    serviceAccount?: string | null
    ipPoolName?: string | null
    apiKeyRequestHeader?: string | null
    secretKeyRequestHeader?: string | null
    idPath?: string | null
    datePath?: string | null
    apiToken?: string | null
    authenticationTokenKey?: string | null
    instanceId?: string | null
    alertUid?: string | null
    title?: string | null
    imageUrl?: string | null
    state?: string | null
    externalLink?: string | null
    channelId?: string | null
    phoneNumberIdentification?: string | null
    accessKey?: string | null
    appSid?: string | null
    senderId?: string | null
    AppIOBaseUrl?: string | null
    secure?: boolean | null
    requireTls?: boolean | null
    ignoreTls?: boolean | null
    hmac?: boolean | null
    authenticateByToken?: boolean | null
    tlsOptions?: Record<string, unknown> | null
  }
  conditions?: ({
    isNegated?: boolean
    type?: "BOOLEAN" | "TEXT" | "DATE" | "NUMBER" | "STATEMENT" | "LIST" | "MULTI_LIST" | "GROUP"
    value?: "AND" | "OR"
    children?: ({
      field: string
      value: string
      operator: "LARGER" | "SMALLER" | "LARGER_EQUAL" | "SMALLER_EQUAL" | "EQUAL" | "NOT_EQUAL" | "ALL_IN" | "ANY_IN" | "NOT_IN" | "BETWEEN" | "NOT_BETWEEN" | "LIKE" | "NOT_LIKE" | "IN"
      on: "subscriber" | "payload"
    })[]
  })[]
  configurations?: {
    inboundWebhookEnabled?: boolean | null
    inboundWebhookSigningKey?: string | null
    /** What to do when nobody can say whether a message went out: send it again, or leave it. */
    whenUnknown?: "atLeastOnce" | "atMostOnce" | null
  }
}

export type TestIntegration = {
  /** An e-mail address, phone number, webhook URL, chat channel or device token, as the channel needs it. */
  to?: string
  phone?: string
  webhookUrl?: string
  channel?: string
  deviceToken?: string
  /** A channel endpoint, instead of an address. */
  endpointIdentifier?: string
  from?: string
  subject?: string
  content?: string
}

export type ListActivities = {
  channels?: string[]
  templates?: string[]
  emails?: string[]
  search?: string
  subscriberIds?: string[]
  severity?: string[]
  page?: number
  limit?: number
  transactionId?: string
  topicKey?: string
  contextKeys?: string[]
  /** Only those of which a step ended so, or is waiting. Our own addition. */
  outcome?: "failed" | "skipped" | "canceled" | "merged" | "waiting"
  /** ISO time, inclusive. Default: as far back as history is kept. */
  after?: string
  /** ISO time, inclusive. */
  before?: string
}

export type ActivityPage = {
  data: Activity[]
  hasMore: boolean
  pageSize: number
  page: number
}

export type ListMessages = {
  channel?: "in_app" | "email" | "sms" | "chat" | "push"
  subscriberId?: string
  transactionId?: string[]
  contextKeys?: string[]
  page?: number
  limit?: number
}

export type MessagePage = {
  data: Message[]
  hasMore: boolean
  pageSize: number
  page: number
  totalCount?: number
}

export type OpenInboxSession = {
  applicationIdentifier: string
  /** The profile of the subscriber, or only its id. */
  subscriber?: string | {
    subscriberId: string
    firstName?: string | null
    lastName?: string | null
    email?: string | null
    phone?: string | null
    avatar?: string | null
    timezone?: unknown
    locale?: string | null
    data?: Record<string, unknown> | null
  }
  subscriberId?: string
  subscriberHash?: string
  context?: Record<string, unknown>
  contextHash?: string
  defaultSchedule?: {
    isEnabled: boolean
    weeklySchedule?: {
      monday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      tuesday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      wednesday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      thursday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      friday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      saturday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      sunday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
    }
  }
}

export type ListInboxNotifications = {
  limit?: number
  /** The id of the last notification of the page before. */
  after?: string
  offset?: number
  read?: boolean
  seen?: boolean
  archived?: boolean
  snoozed?: boolean
  severity?: ("high" | "medium" | "low" | "none")[]
  /** Milliseconds. */
  createdGte?: number
  /** Milliseconds. */
  createdLte?: number
  tags?: string[]
  /** A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }. */
  data?: string
  /** One of each group: tags[0][]=a&tags[1][]=b. */
  tagGroups?: string[]
}

export type InboxNotificationPage = {
  data: InboxNotification[]
  hasMore: boolean
  filter: Record<string, unknown>
}

export type ListInboxPreferences = {
  criticality?: "critical" | "nonCritical" | "all"
  tags?: string[]
  severity?: ("high" | "medium" | "low" | "none")[]
}

export type UpdateInboxPreferences = {
  enabled?: boolean | null
  in_app?: boolean | null
  email?: boolean | null
  sms?: boolean | null
  chat?: boolean | null
  push?: boolean | null
  schedule?: {
    isEnabled: boolean
    weeklySchedule?: {
      monday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      tuesday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      wednesday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      thursday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      friday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      saturday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
      sunday?: {
        isEnabled: boolean
        hours?: {
          start: string
          end: string
        }[]
      }
    }
  } | null
}

export type UpdateInboxWorkflowPreferences = {
  enabled?: boolean | null
  in_app?: boolean | null
  email?: boolean | null
  sms?: boolean | null
  chat?: boolean | null
  push?: boolean | null
}

export type CreateInboxSubscription = {
  /** Empty: the default one. */
  identifier?: string
  topic?: {
    name?: string
  }
  name?: string | null
  preferences?: (string | {
    /** Of a workflow: workflowId, _id or slug. */
    workflowId?: string
    filter?: {
      workflowIds?: string[]
      tags?: string[]
    }
    enabled?: boolean
    /** JSON Logic over payload, subscriber, actor and context. Null takes it back. */
    condition?: unknown
  })[]
}

export type UpdateInboxSubscription = {
  name?: string | null
  preferences?: (string | {
    /** Of a workflow: workflowId, _id or slug. */
    workflowId?: string
    filter?: {
      workflowIds?: string[]
      tags?: string[]
    }
    enabled?: boolean
    /** JSON Logic over payload, subscriber, actor and context. Null takes it back. */
    condition?: unknown
  })[]
}
