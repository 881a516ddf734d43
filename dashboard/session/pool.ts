import { queryOptions } from '@tanstack/react-query';
import { identity } from './session.ts';

/* What the user pool knows about the person who is signed in. */

export const totpQuery = queryOptions({ queryKey: ['pool', 'totp'], queryFn: async () => (await identity()).hasTotp() });

export const devicesQuery = queryOptions({ queryKey: ['pool', 'devices'], queryFn: async () => (await identity()).listDevices() });
