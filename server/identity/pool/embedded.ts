import { userId } from '#contract/ids.ts';
import type { IdentityKernel, IdentityOptions } from '../identity.ts';
import type { Directory, Identity } from '../port.ts';
import type { ChangeEmail, Dependencies } from '../protocol/action.ts';
import { addDiscovery } from '../protocol/discovery.ts';
import { addWire } from '../protocol/endpoint.ts';
import { openAuthenticator } from './authenticator.ts';
import { openCodes } from './codes.ts';
import { openPoolMails } from './mails.ts';
import { openOperators } from './operators.ts';
import { openPasswords } from './passwords.ts';
import { openPeople } from './people.ts';
import { ENDPOINT, openNames } from './pool.ts';
import { openSeal } from './seal.ts';
import { openTotps } from './second-factor.ts';
import { isSignedIn } from './sessions-store.ts';
import { openSigningKeys } from './signing-keys.ts';
import { openTokens } from './tokens.ts';
import { startUpkeep } from './upkeep.ts';

/** The embedded user pool: signs people in as Amazon Cognito does, without it. */
export async function openEmbedded(kernel: IdentityKernel, { directory, sendMail }: IdentityOptions): Promise<Identity> {
  const { config, database, now } = kernel;
  const { findPerson } = directory;
  const mails = openPoolMails(sendMail, config.publicUrl);
  const seal = await openSeal(config);
  const names = await openNames(kernel);
  const keys = await openSigningKeys({ kernel, seal });
  const tokens = openTokens({ keys, names, now });
  const [passwords, codes, totps] = [await openPasswords(), openCodes({ seal, now }), openTotps({ seal, now })];
  const operators = openOperators({ config, database, now });
  const dependencies: Dependencies = {
    database,
    now,
    names,
    tokens,
    passwords,
    codes,
    totps,
    operators,
    mails,
    changeEmail: changeEmailIn(directory, now),
  };
  return {
    addRoutes(http) {
      addWire(http, dependencies);
      addDiscovery(http, { names, keys });
    },
    authenticator: openAuthenticator({ tokens, operators, findPerson, now }),
    config: { userPoolId: names.id, userPoolClientId: names.clientId, userPoolEndpoint: ENDPOINT },
    ...openPeople({ passwords, codes, mails, now }),
    stop: startUpkeep(kernel),
  };
}

/** Somebody in the pool who is in no team has no list to be in. */
function changeEmailIn({ findPerson, changeEmail }: Directory, now: () => number): ChangeEmail {
  return async (db, { claims, email }) => {
    const id = userId(claims.sub);
    const found = await findPerson(db, id, isSignedIn(db, claims, new Date(now())));
    if (found) await changeEmail(db, { userId: id, accountId: found.accountId, email });
  };
}
