import { badField } from '#contract/errors.ts';
import { subOf } from '#contract/ids.ts';
import { NOT_FOUND } from '#contract/schema.ts';
import { checkMayChange, type Level, type User, type userOperations } from '#contract/user.ts';
import { record } from '../event/store.ts';
import type { UserPool } from '../identity/port.ts';
import type { AccountScope } from '../kernel/access.ts';
import type { Handlers } from '../kernel/dispatch.ts';
import { squarePicture } from '../kernel/picture.ts';
import * as store from './store.ts';
import { refuseLastAdmin } from './user.ts';

interface UserRoom {
  readonly pool: UserPool;
}

type UserRoomActions = 'get' | 'list' | 'save' | 'sessions' | 'endSession';

export function openUser({ pool }: UserRoom) {
  return {
    async get({ scope }, { userId }) {
      return found(await store.byId(scope, userId));
    },
    async list({ scope }) {
      return { status: 'ok', users: await store.all(scope) };
    },
    async save({ scope, person }, { payload: { id, data } }) {
      const before = await store.byId(scope, id);
      if (!before) return NOT_FOUND;
      checkMayChange(person, before, data);
      if (data.level !== undefined && data.level !== before.data.level) await changeLevel(scope, before, data.level);
      const { avatar, displayName, level } = data;
      const changes = {
        ...(displayName !== undefined && { displayName }),
        ...(level !== undefined && { level }),
        ...(avatar !== undefined && { avatar: avatar && (await drawn(avatar)) }),
      };
      const fields = (['displayName', 'avatar'] as const).filter((field) => data[field] !== undefined);
      if (fields.length > 0) await record(scope, 'user.profile-changed', { subject: id, data: { fields } });
      return found(await store.change(scope, id, changes));
    },
    async sessions({ scope, person }) {
      return { status: 'ok', sessions: await pool.sessions(scope.db, { sub: subOf(person.userId), family: person.session }) };
    },
    async endSession({ scope, person }, { sessionId }) {
      return (await pool.endSession(scope.db, { sub: subOf(person.userId), id: sessionId })) ? { status: 'ok' } : NOT_FOUND;
    },
  } satisfies Pick<Handlers<typeof userOperations>, UserRoomActions>;

  /** Sessions end, so that what was open under the old level is open no more. */
  async function changeLevel(scope: AccountScope, before: User, level: Level): Promise<void> {
    if (level === 'user') await refuseLastAdmin(scope, before.id, 'become a member');
    if (level === 'user') await pool.endSessions(scope.db, subOf(before.id));
    await record(scope, 'user.level-changed', { subject: before.id, data: { from: before.data.level, to: level } });
  }
}

async function drawn(avatar: string): Promise<string> {
  const picture = await squarePicture(avatar);
  if (picture === undefined) throw badField('payload.data.avatar', 'Please choose a PNG, JPEG or WebP picture');
  return picture;
}

const found = (user: User | undefined) => (user ? ({ status: 'ok', user } as const) : NOT_FOUND);
