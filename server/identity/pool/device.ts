import { createHash } from 'node:crypto';

/** The names that a browser is given at its first sign-in. */
export interface NewDevice {
  readonly DeviceKey: string;
  readonly DeviceGroupKey: string;
}

const GROUP_LENGTH = 9;

export const newDevice = (key: string): NewDevice => ({ DeviceKey: key, DeviceGroupKey: groupKeyOf(key) });

/** Follows from the device's key, so it is nowhere stored. Part of what a device signs when it proves itself. */
const groupKeyOf = (key: string): string => `-${createHash('sha256').update(key).digest('hex').slice(0, GROUP_LENGTH)}`;
