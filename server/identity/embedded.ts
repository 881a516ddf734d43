import { userId } from '#contract/ids.ts';
import type { ChangeEmail, Desk } from './action.ts';
import { openCodes } from './codes.ts';
import { addDiscovery } from './discovery.ts';
import { createDoorkeeper } from './doorkeeper.ts';
import type { IdentityKernel, IdentityOptions } from './identity.ts';
import { openKeys } from './keys.ts';
import { openPoolMails } from './mails.ts';
import { openOperators } from './operators.ts';
import { openPasswords } from './passwords.ts';
import { openPeople } from './people.ts';
import { ENDPOINT, openPool } from './pool.ts';
import type { Directory, Identity } from './port.ts';
import { openSeal } from './secret.ts';
import { isSignedIn } from './session-store.ts';
import { openTokens } from './tokens.ts';
import { openTotps } from './totps.ts';
import { startUpkeep } from './upkeep.ts';
import { addWire } from './wire.ts';

/** The embedded user pool: signs people in as Amazon Cognito does, without it. */
export async function openEmbedded(kernel: IdentityKernel, { directory, sendMail }: IdentityOptions): Promise<Identity> {
  const { config, database, now } = kernel;
  const { person } = directory;
  const mails = openPoolMails(sendMail, config.publicUrl);
  const seal = await openSeal(config);
  const pool = await openPool(kernel);
  const keys = await openKeys({ kernel, seal });
  const tokens = openTokens({ keys, pool, now });
  const [passwords, codes, totps] = [await openPasswords(), openCodes({ seal, now }), openTotps({ seal, now })];
  const operators = openOperators({ config, database, now });
  const desk: Desk = { database, now, pool, tokens, passwords, codes, totps, operators, mails, changeEmail: changeEmailIn(directory, now) };
  return {
    addRoutes(http) {
      addWire(http, desk);
      addDiscovery(http, { pool, keys });
    },
    doorkeeper: createDoorkeeper({ tokens, operators, person, now }),
    config: { userPoolId: pool.id, userPoolClientId: pool.clientId, userPoolEndpoint: ENDPOINT },
    ...openPeople({ passwords, codes, mails, now }),
    stop: startUpkeep(kernel),
  };
}

/** Somebody in the pool who is in no team has no list to be in. */
function changeEmailIn({ person, changeEmail }: Directory, now: () => number): ChangeEmail {
  return async (db, { claims, email }) => {
    const id = userId(claims.sub);
    const found = await person(db, id, isSignedIn(db, claims, new Date(now())));
    if (found) await changeEmail(db, { userId: id, accountId: found.accountId, email });
  };
}
