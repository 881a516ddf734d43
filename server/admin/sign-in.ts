import { userOperations } from '#contract/user/user.ts';
import { isAddress } from '../platform/mailer/message.ts';
import { atCommandLine } from '../platform/tenancy/access.ts';
import type { Installation } from './installation.ts';
import { type CommandOutcome, CommandRefused, minute, table } from './output.ts';

/** Lists the operators from the settings, and whether each has a password and two-step sign-in. */
export async function listOperators(installation: Installation): Promise<CommandOutcome> {
  const operators = await operatorsOf(installation);
  const rows = operators.map(({ email, isKnown, hasSecondFactor }) => [email, isKnown ? 'yes' : 'no', hasSecondFactor ? 'on' : 'off']);
  const text = rows.length === 0 ? 'OPERATOR_EMAILS is empty.' : table(['Email', 'Has a password', 'Two-step sign-in'], rows);
  return { data: { operators }, text };
}

export const operatorsOf = ({ platform, pool }: Installation) =>
  atCommandLine(platform, async ({ db }) => {
    const operators = [];
    for (const email of platform.config.operatorEmails) {
      const sub = await pool.find(db, email);
      const hasSecondFactor = sub !== undefined && (await pool.secondFactor(db, sub)).isOn;
      operators.push({ email, isKnown: sub !== undefined, hasSecondFactor });
    }
    return operators;
  });

/** Mails a link to an operator named in the settings; throws for anyone else, with the setting to change. */
export async function addOperator({ platform, recovery }: Installation, typed: string): Promise<CommandOutcome> {
  const email = addressOf(typed);
  const { operatorEmails } = platform.config;
  if (!operatorEmails.includes(email)) {
    const value = [...operatorEmails, email].join(',');
    throw new CommandRefused(
      `Operators are set in the settings. Set OPERATOR_EMAILS=${value}, restart Afterword, and ${email} gets a link by email.`,
    );
  }
  const isInvited = await atCommandLine(platform, (scope) => recovery.inviteOperator(scope, email));
  const text = isInvited
    ? `A link is on its way to ${email} to choose a password and set up two-step sign-in. It works for seven days. ${LEAVES}`
    : `${email} already has a password. They can sign in, and set up two-step sign-in if it is off.`;
  return { data: { email, isInvited }, text };
}

const LEAVES = 'It is sent while Afterword is running.';

/** Mails a password reset, as the sign-in page does. */
export async function resetPassword({ platform, recovery }: Installation, typed: string): Promise<CommandOutcome> {
  const email = addressOf(typed);
  if (!(await atCommandLine(platform, (scope) => recovery.mailPasswordReset(scope, email)))) throw unknownEmail(email);
  const text = platform.config.cognito
    ? `Amazon Cognito emails ${email} a code for a new password.`
    : `A code and a link for a new password are on their way to ${email}. ${LEAVES}`;
  return { data: { email, isMailed: true }, text };
}

/** Turns off two-step sign-in: for an operator at once, for anyone else by the request that an operator can make. */
export async function resetSecondFactor(installation: Installation, typed: string, reason: string): Promise<CommandOutcome> {
  const { platform, recovery, operate, handlers, askedBy } = installation;
  const email = addressOf(typed);
  const person = await atCommandLine(platform, (scope) => recovery.find(scope, email));
  if (!person) throw unknownEmail(email);
  if (platform.config.operatorEmails.includes(email)) {
    if (!(await atCommandLine(platform, (scope) => recovery.resetSecondFactor(scope, { email, by: askedBy }))))
      throw new CommandRefused(`Two-step sign-in of ${email} is already off.`);
    const text = `Two-step sign-in of ${email} is off, and they are signed out everywhere. They can sign in with just the password and set it up again.`;
    return { data: { email, isReset: true }, text };
  }
  const { userId, accountId } = person;
  if (accountId === undefined) throw new CommandRefused(`${email} has no account and isn’t in OPERATOR_EMAILS.`);
  const request = { accountId, userId, reason };
  const answer = await operate(userOperations.requestSecondFactorReset, handlers.user.requestSecondFactorReset, request);
  if (answer.status !== 'ok') throw unknownEmail(email);
  const text = `Two-step sign-in of ${email} will be turned off on ${minute(answer.reset.due)}, unless they refuse with the link in the email we’re sending now. ${LEAVES}`;
  return { data: { email, isReset: false, due: answer.reset.due }, text };
}

const unknownEmail = (email: string) => new CommandRefused(`No one signs in with ${email}.`);

function addressOf(typed: string): string {
  if (!isAddress(typed)) throw new CommandRefused(`${typed} isn’t an email address.`);
  return typed.toLowerCase();
}
