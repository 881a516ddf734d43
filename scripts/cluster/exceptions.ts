const TRIGGER = 'The test adds a trigger to a distributed table, which Citus refuses.';
const PLAN = 'The test reads a plan of the coordinator, which shows neither the rows read by a worker nor the session’s planner settings.';
const LOCK =
  'The test counts waits for a lock on the coordinator. Feedback and its counts are locked on a worker, and refer to no row of the coordinator.';
const FAN_OUT =
  'The test removes the account from each query. Citus refuses some of them when they would join every shard, so nothing of another account is returned.';

/** Module tests that can fail on a Citus cluster, by file and name, with the reason. A file that fails as a whole has one without a name. */
export const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'server/account/account.test.ts': {
    'deleting an account deletes large tables in batches': TRIGGER,
    'deleting an account reads as little for a late batch as for the first': PLAN,
  },
  'server/admin/admin.test.ts': {
    'the doctor exits with 1 if something is wrong: database': 'A cluster refuses every pooler, not only one that doesn’t answer.',
  },
  'server/feedback/locks.test.ts': {
    'one account’s locks don’t block another account': LOCK,
    'an amended answer doesn’t hold the account’s counts while it waits for a property’s, which a deletion takes first': LOCK,
  },
  'server/insight/insight.test.ts': {
    'feedback from before the counts is counted by the migration':
      'The test runs a migration’s statements again, on distributed tables. A migration runs before they are distributed.',
    'with much feedback a range is read from its days and the quarters of an hour at its ends': PLAN,
    'with much feedback the hours of a place are read from its own quarters of an hour': PLAN,
    'with much feedback at most the stated number of texts is read, by an index of feedback with text': PLAN,
  },
  'server/feedback/search.test.ts': { "a search for a contact, { phone: '49305550188' }, uses it too": PLAN },
  'server/topic/topic.test.ts': {
    'the answers about a topic are counted from the index of matches alone':
      'The test inserts matches without feedback, in a session that checks no foreign keys. Workers don’t have that setting.',
  },
  'server/platform/database/upgrade.test.ts': {
    '': 'Not because of Citus: on PostgreSQL 15, a role with NOINHERIT may not create tables in its own database.',
  },
  'server/platform/http/health.test.ts': {
    'is not ready while submissions fail, and notices without a visitor when they work again': TRIGGER,
    'answers a full disk with a retry-after, and logs it once': TRIGGER,
  },
  'server/platform/tenancy/fair-queue.test.ts': {
    'the connections to the database stay free for the team and new visitors while amendments are blocked': LOCK,
  },
  'server/platform/tenancy/tenants.test.ts': {
    'tenants are separated by row security alone notification.list, which takes no id, answers for the caller’s account only': FAN_OUT,
    'tenants are separated by row security alone notification.markRead, which takes no id, answers for the caller’s account only': FAN_OUT,
    'tenants are separated by row security alone the other account sees its own canary': FAN_OUT,
    'without scopes and row security, another account is visible, so these tests can fail': FAN_OUT,
  },
};
