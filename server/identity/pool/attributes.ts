import * as v from 'valibot';
import { pageLink } from '#contract/mail.ts';
import { displayName, email as emailSchema } from '#contract/schema.ts';
import { requireFresh, type SignedIn, signedInAction } from '../protocol/action.ts';
import { attributeName, confirmationCode } from '../protocol/validation.ts';
import type { CodeGrant, CodeSlot } from './codes.ts';
import { addressTaken, expiredCode, invalidParameter, notAuthorized, wrongCode } from './errors.ts';
import { deliveryTo } from './mails.ts';
import { countRequest } from './throttle.ts';
import * as users from './users-store.ts';

const attribute = v.object({ Name: attributeName, Value: v.optional(v.pipe(v.string(), v.maxLength(2_048)), '') });
const updateInput = v.object({ UserAttributes: v.pipe(v.array(attribute), v.maxLength(10)) });

const codeOf = ({ sub }: users.UserRow): CodeSlot => ({ purpose: 'address', name: sub });

/** Changes the name at once, and the address as soon as whoever reads its mail has confirmed it. */
export const updateUserAttributes = signedInAction(
  updateInput,
  async (caller, { UserAttributes }) => {
    const wanted = new Map(UserAttributes.map(({ Name, Value }) => [Name, Value]));
    for (const name of wanted.keys()) {
      if (name !== 'email' && name !== 'name') throw notAuthorized('A client attempted to write unauthorized attribute');
    }
    const [name, email] = [wanted.get('name'), wanted.get('email')];
    if (name !== undefined) await rename(caller, name);
    const sentTo = email === undefined ? undefined : await askForAddress(caller, email);
    return { CodeDeliveryDetailsList: sentTo === undefined ? [] : [deliveryTo(sentTo)] };
  },
  { isReplayed: true },
);

async function rename({ db, user, now }: SignedIn, sent: string): Promise<void> {
  const name = v.safeParse(displayName, sent);
  if (!name.success) throw invalidParameter('Invalid name format.');
  await users.update(db, user.sub, { name: name.output, modified: now });
}

/** Mails a code to the address that somebody wants; undefined where it is theirs already. */
async function askForAddress(caller: SignedIn, sent: string): Promise<string | undefined> {
  const { db, user, dependencies, context } = caller;
  const email = v.safeParse(emailSchema, sent);
  if (!email.success) throw invalidParameter('Invalid email address format.');
  if (email.output === user.email) return undefined;
  requireFresh(caller);
  const { isRepeated } = await countRequest(
    db,
    { what: 'UpdateEmail', who: user.sub, idempotencyKey: context.idempotencyKey },
    dependencies.now(),
  );
  if (!isRepeated) await sendAddressCode(caller, email.output);
  return email.output;
}

/** Somebody else's address gets no code but a word to its owner, and the caller is told the same. */
async function sendAddressCode({ db, user, dependencies: { codes, mails } }: SignedIn, address: string): Promise<void> {
  const { sub, credential } = user;
  const isTaken = await users.isTaken(db, address, sub);
  const code = await codes.make(db, codeOf(user), { sub, credential, address });
  const link = pageLink(mails.site);
  await mails.sendOrSimulate(db, { to: address, mail: 'address-code', props: { code }, isReal: !isTaken });
  await mails.sendOrSimulate(db, { to: address, mail: 'address-taken', props: { link }, isReal: isTaken });
}

const EMAIL_ONLY = v.object({ AttributeName: attributeName });

/** Mails the code of a wanted address anew. */
export const getUserAttributeVerificationCode = signedInAction(
  EMAIL_ONLY,
  async (caller, { AttributeName }) => {
    const { db, user, dependencies, context } = caller;
    const address = AttributeName === 'email' ? await dependencies.codes.pendingAddress(db, codeOf(user)) : undefined;
    if (address === undefined) throw invalidParameter('There is no address that waits for its code.');
    const { isRepeated } = await countRequest(
      db,
      { what: 'GetUserAttributeVerificationCode', who: user.sub, idempotencyKey: context.idempotencyKey },
      dependencies.now(),
    );
    if (!isRepeated) await sendAddressCode(caller, address);
    return { CodeDeliveryDetails: deliveryTo(address) };
  },
  { isReplayed: true },
);

const verifyInput = v.object({ AttributeName: attributeName, Code: confirmationCode });

/** The wanted address takes effect. The old one is told, in case that was somebody else's wish. */
export const verifyUserAttribute = signedInAction(
  verifyInput,
  async (caller, { AttributeName, Code: code }) => {
    const { db, user, dependencies, context } = caller;
    if (AttributeName !== 'email') throw invalidParameter('There is no address that waits for its code.');
    const { isRepeated } = await countRequest(
      db,
      { what: 'VerifyUserAttribute', who: user.sub, idempotencyKey: context.idempotencyKey },
      dependencies.now(),
    );
    const redeemed = await dependencies.codes.redeem(db, { ...codeOf(user), code });
    if (redeemed === 'used' && isRepeated) return {};
    if (redeemed === 'wrong') return wrongCode();
    return typeof redeemed === 'string' ? expiredCode() : takeAddress(caller, redeemed);
  },
  { isReplayed: true },
);

async function takeAddress({ db, claims, now, dependencies }: SignedIn, { sub, credential, address }: CodeGrant) {
  const user = await users.lockById(db, sub);
  if (user?.credential !== credential || address === null) return expiredCode();
  if (!(await users.setEmail(db, sub, { email: address, modified: now }))) return addressTaken();
  await dependencies.changeEmail(db, { claims, email: address });
  await dependencies.mails.send(db, { to: user.email, mail: 'address-changed', props: { link: pageLink(dependencies.mails.site) } });
  return {};
}
