import { badField } from '#contract/core/errors.ts';
import { subOf } from '#contract/core/ids.ts';
import type { Input } from '#contract/core/operation.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import { INSTALLATION } from '#contract/event/event.ts';
import { checkMayChange, type Level, PICTURES_AN_HOUR, type User, type userOperations } from '#contract/user/user.ts';
import { record } from '../event/store.ts';
import type { UserPool } from '../identity/port.ts';
import { PICTURE_FAULTS, type Pictures } from '../platform/images/images.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { type Handlers, type Member, SlowWork } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as store from './store.ts';
import { refuseLastAdmin } from './user.ts';

interface UserRoom {
  readonly pool: UserPool;
  readonly pictures: Pick<Pictures, 'square'>;
}

type UserRoomActions = 'get' | 'list' | 'save' | 'sessions' | 'endSession';

export function openUser({ pool, pictures }: UserRoom) {
  return {
    async get({ scope, person }, { userId }) {
      if (person.accountId === INSTALLATION) return { status: 'no team' };
      return answer(await store.byId(scope, userId));
    },
    async list({ scope }) {
      return { status: 'ok', users: await store.all(scope) };
    },
    async save(member, { payload: { id, data } }) {
      const { avatar } = data;
      if (!avatar) return change(member, id, data);
      const previous = await personToChange(member, id, data);
      if (!previous) return NOT_FOUND;
      await countWithin(member.scope, PICTURES, member.person.userId);
      return new SlowWork(async () => {
        const picture = await square(avatar, id);
        return (current) => change(current, id, { ...data, avatar: picture });
      });
    },
    async sessions({ scope, person }) {
      return { status: 'ok', sessions: await pool.sessions(scope.db, { sub: subOf(person.userId), family: person.session }) };
    },
    async endSession({ scope, person }, { sessionId }) {
      return (await pool.endSession(scope.db, { sub: subOf(person.userId), id: sessionId })) ? { status: 'ok' } : NOT_FOUND;
    },
  } satisfies Pick<Handlers<typeof userOperations>, UserRoomActions>;

  async function change(member: Member, id: string, data: Changes) {
    const { scope } = member;
    const previous = await personToChange(member, id, data);
    if (!previous) return NOT_FOUND;
    const { avatar, displayName, language, level } = data;
    if (level !== undefined && level !== previous.data.level) await changeLevel(scope, previous, level);
    const changes = {
      ...(displayName !== undefined && { displayName }),
      ...(level !== undefined && { level }),
      ...(avatar !== undefined && { avatar }),
      ...(language !== undefined && { language }),
    };
    const fields = (['displayName', 'avatar', 'language'] as const).filter((field) => data[field] !== undefined);
    if (fields.length > 0) await record(scope, 'user.profile-changed', { subject: id, data: { fields } });
    return answer(await store.change(scope, id, changes));
  }

  async function square(avatar: string, by: string): Promise<string> {
    const result = await pictures.square(avatar, by);
    if ('fault' in result) throw badField('payload.data.avatar', PICTURE_FAULTS[result.fault]);
    return result.drawn;
  }

  /** Records the new level, which applies from the person's next call; their open pages follow the event. */
  async function changeLevel(scope: AccountScope, previous: User, level: Level): Promise<void> {
    if (level === 'user') await refuseLastAdmin(scope, previous.id, 'become a member');
    await record(scope, 'user.level-changed', { subject: previous.id, data: { from: previous.data.level, to: level } });
  }
}

type Changes = Input<typeof userOperations.save>['payload']['data'];

/** Returns the person before a change; undefined for an unknown id. Throws if the caller may not make the change. */
async function personToChange({ scope, person }: Member, id: string, data: Changes): Promise<User | undefined> {
  const previous = await store.byId(scope, id);
  if (previous) checkMayChange(person, previous, data);
  return previous;
}

const PICTURES = { name: 'pictures', most: PICTURES_AN_HOUR, within: HOUR };

const answer = (user: User | undefined) => (user ? ({ status: 'ok', user } as const) : NOT_FOUND);
