import * as v from 'valibot';
import { pageLink } from '#contract/mail.ts';
import { action, asSignedIn } from '../protocol/action.ts';
import { accessToken, password } from '../protocol/validation.ts';
import { wrongPassword } from './errors.ts';
import { checkNewPassword } from './password-policy.ts';
import { revokeAll } from './sessions-store.ts';
import { countRequest } from './throttle.ts';
import * as users from './users-store.ts';

const input = v.object({ AccessToken: accessToken, PreviousPassword: password, ProposedPassword: password });

/** Takes the old password for the new one, and ends the person's other sessions. */
export const changePassword = action(
  input,
  async (dependencies, sent, context) => {
    // Hashes are made outside of transactions: they wait for one another.
    const before = await asSignedIn(dependencies, { sent, context }, async ({ db, user }) => {
      await countRequest(db, { what: 'ChangePassword', who: user.sub, idempotencyKey: context.idempotencyKey }, dependencies.now());
      return user;
    });
    if (!(await dependencies.passwords.isRight(sent.PreviousPassword, before.password))) throw wrongPassword();
    checkNewPassword(sent.ProposedPassword, [before.email, before.name]);
    const hash = await dependencies.passwords.hash(sent.ProposedPassword);
    return asSignedIn(dependencies, { sent, context }, async ({ db, claims, now }) => {
      const user = await users.lockById(db, before.sub);
      if (user?.credential !== before.credential) return wrongPassword();
      await users.setPassword(db, user.sub, { password: hash, modified: now });
      await revokeAll(db, { sub: user.sub, except: claims.family, revoked: now });
      await dependencies.mails.send(db, { to: user.email, mail: 'password-changed', props: { link: pageLink(dependencies.mails.site) } });
      return {};
    });
  },
  { isReplayed: true },
);
