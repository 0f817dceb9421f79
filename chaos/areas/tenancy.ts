// biome-ignore-all lint/suspicious/noTemplateCurlyInString: mutations quote the program's own source
import { loadRoutes } from '../../src/http/load-routes.ts'
import { defineArea } from '../lib/area.ts'
import { publicUrl } from '../lib/world.ts'
import { everyInbox } from '../rows/tenancy/inboxes.ts'
import { foreignCursors, listsAndFilters } from '../rows/tenancy/lists.ts'
import { everyOperation } from '../rows/tenancy/matrix.ts'
import { poolReuse } from '../rows/tenancy/pool.ts'
import { secondWall } from '../rows/tenancy/rls.ts'
import { sameIds } from '../rows/tenancy/same-ids.ts'
import { plant, type TenancyStage } from '../rows/tenancy/stage.ts'

export const tenancy = defineArea<TenancyStage>({
  name: 'tenancy',
  async open(world) {
    const few = { DATABASE_POOL_SIZE: '2', ...publicUrl }
    const [plain, guarded] = await Promise.all([
      world.startNode(few, 'start'),
      world.startNode({ ...few, ROW_LEVEL_SECURITY: 'true', DATABASE_URL: world.guardedUrl }),
    ])
    const owner = await plant(world, plain.url, await world.tenant({ reach: 'organization' }))
    const strangers = [
      await world.tenant({ organizationId: owner.tenant.organizationId }),
      await world.tenant({ reach: 'organization' }),
    ]
    return { world, nodes: [plain, guarded], routes: await loadRoutes(), owner, strangers }
  },
  rows: {
    'every operation': everyOperation,
    'every inbox': everyInbox,
    'lists and filters': listsAndFilters,
    'foreign cursors': foreignCursors,
    'same ids': sameIds,
    'pool reuse': poolReuse,
    'row-level security': secondWall,
  },
  mutations: [
    {
      name: 'tenant filter removed in store/topics findTopic',
      edits: [
        {
          file: 'src/store/topics.ts',
          find: 'where environment_id = ${env.environmentId} and key = ${key} and deleted_at is null`.execute(db)',
          replace: 'where key = ${key} and deleted_at is null`.execute(db)',
        },
      ],
      turnsRed: 'every operation',
    },
    {
      name: 'tenant filter removed in store/integrations findIntegration',
      edits: [
        {
          file: 'src/store/integrations.ts',
          find: 'where environment_id = ${env.environmentId} and id = ${id} and deleted_at is null',
          replace: 'where id = ${id} and deleted_at is null',
        },
      ],
      turnsRed: 'every operation',
    },
    {
      name: 'tenant filter removed in store/integrations listIntegrations',
      edits: [
        {
          file: 'src/store/integrations.ts',
          find: 'where environment_id = ${env.environmentId} and deleted_at is null order by id',
          replace: 'where deleted_at is null order by id',
        },
      ],
      turnsRed: 'lists and filters',
    },
    {
      name: 'cursors are not bound to their environment',
      edits: [
        { file: 'src/http/paging.ts', find: 'canonicalJson([env.environmentId, ', replace: "canonicalJson(['', " },
      ],
      turnsRed: 'foreign cursors',
    },
    {
      name: 'tenant filter removed in store/subscribers, listSubscribersById',
      edits: [
        {
          file: 'src/store/subscribers.ts',
          find: 'join subscriber s on s.environment_id = ${env.environmentId} and s.subscriber_id = wanted.subscriber_id',
          replace: 'join subscriber s on s.subscriber_id = wanted.subscriber_id',
        },
      ],
      turnsRed: 'pool reuse',
    },
    {
      name: 'the subscriptions of everybody in a topic are taken for one’s own',
      edits: [
        {
          file: 'src/store/subscription-details.ts',
          find: 'and m.topic_id = ${topicId} and m.subscriber_id = ${subscriberId}\n    order by 1',
          replace: 'and m.topic_id = ${topicId} and ${subscriberId} is not null\n    order by 1',
        },
      ],
      turnsRed: 'every inbox',
    },
    {
      name: 'a new table with environment_id and no policy',
      edits: [],
      sql: 'create table forgotten (environment_id uuid not null, secret text)',
      turnsRed: 'row-level security',
    },
    {
      name: 'a new table of environments, in which the owner has nothing that could be touched',
      edits: [],
      sql: `create table unwatched (environment_id uuid not null);
        alter table unwatched enable row level security;
        create policy tenant on unwatched using (environment_id = (select current_environment()))`,
      turnsRed: 'every operation',
    },
    {
      name: 'a new table with a policy, in which the proof plants nothing',
      edits: [],
      sql: `create table unplanted (environment_id uuid not null);
        alter table unplanted enable row level security;
        create policy tenant on unplanted using (environment_id = (select current_environment()));
        grant select on unplanted to public`,
      turnsRed: 'row-level security',
    },
  ],
})
