import type { Kernel } from '../kernel/context.ts';
import type { SendMail } from '../kernel/send-mail.ts';
import { openEmbedded } from './pool/embedded.ts';
import type { Directory, Identity } from './port.ts';

export type IdentityKernel = Pick<Kernel, 'config' | 'database' | 'log' | 'now' | 'random'>;

export interface IdentityOptions {
  readonly directory: Directory;
  readonly sendMail: SendMail;
}

/** Opens the user pool that the settings name: the product's own, or Amazon Cognito. */
export async function openIdentity(kernel: IdentityKernel, options: IdentityOptions): Promise<Identity> {
  const { cognito } = kernel.config;
  if (!cognito) return openEmbedded(kernel, options);
  // Who has an own pool never loads the SDK.
  const { openGateway } = await import('./cognito/gateway.ts');
  return openGateway(kernel, { ...options, cognito });
}
