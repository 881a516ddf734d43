import type { CognitoConfig } from '../kernel/config.ts';
import type { Identity, IdentityKernel, IdentityOptions } from './identity.ts';

export function openGateway(_kernel: IdentityKernel, _options: IdentityOptions & { cognito: CognitoConfig }): Identity {
  throw new Error('not yet');
}
