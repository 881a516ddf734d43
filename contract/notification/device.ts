import * as v from 'valibot';
import { deviceIdSchema, userIdSchema } from '../core/ids.ts';
import { type Examples, operation } from '../core/operation.ts';
import { okOrNotFound, text } from '../core/schema.ts';
import { HOUR, MINUTE } from '../core/time.ts';

/* Browsers that show a person's notifications on the lock screen (docs/rules.md#push). */

/** Devices per person. @limit push-devices */
export const MOST_DEVICES = 10;
/** How long a push service stores an alert for a device that is off (ms); older alerts aren't sent. @limit push */
export const PUSH_TTL = HOUR;
/** Delays (ms) before each attempt of a push; the first is immediate. @limit push */
export const PUSH_RETRY_DELAYS: readonly number[] = [0, 10_000, 30_000, 2 * MINUTE, 8 * MINUTE, 30 * MINUTE];

/** A browser that a person subscribed. `gs1sk` is that person's id (docs/rules.md#envelope). Its endpoint is never returned. */
const pushDevice = v.strictObject({
  id: deviceIdSchema,
  sk: v.literal('DEVICE'),
  gs1sk: userIdSchema,
  data: v.strictObject({
    /** "Chrome on Android". */
    label: v.string(),
    showsWords: v.boolean(),
    created: v.number(),
    /** When its push service last accepted a push (UTC ms). */
    delivered: v.optional(v.number()),
    /** Since when (UTC ms) it has accepted none. */
    failingSince: v.optional(v.number()),
    /** True if its endpoint is the given one. */
    isThis: v.optional(v.literal(true)),
  }),
});
export type PushDevice = v.InferOutput<typeof pushDevice>;

/** A browser's URL at its push service. */
const endpoint = v.pipe(text(1_000, 1), v.url('Send the address the browser received'));
const base64url = (bytes: number) => {
  const letters = Math.ceil((bytes * 8) / 6);
  return v.pipe(v.string(), v.regex(new RegExp(`^[\\w-]{${letters}}={0,2}$`), `Send ${bytes} bytes as base64url`));
};
const KEY_BYTES = 65;
const SECRET_BYTES = 16;

export const deviceOperations = {
  list: operation({
    access: 'member',
    whileEnded: true,
    summary: 'List the caller’s devices, oldest first, with the key that browsers subscribe with.',
    input: v.strictObject({ endpoint: v.optional(endpoint) }),
    answer: okOrNotFound({ publicKey: v.string(), devices: v.array(pushDevice) }),
  }),
  save: operation({
    access: 'member',
    summary:
      'Subscribe a browser for as long as this sign-in lasts, or change what it shows. Replaces any earlier subscription of the browser.',
    refusals: { conflict: `A person has at most ${MOST_DEVICES} devices.`, 'too-many': 'At most 60 saves an hour per person.' },
    input: v.strictObject({
      payload: v.strictObject({
        data: v.strictObject({
          endpoint,
          keys: v.strictObject({ p256dh: base64url(KEY_BYTES), auth: base64url(SECRET_BYTES) }),
          /** The person's name for it. */
          label: v.pipe(text(60, 1), v.trim(), v.nonEmpty('Please fill this in')),
          showsWords: v.optional(v.boolean(), false),
        }),
      }),
    }),
    answer: okOrNotFound({ device: pushDevice }),
  }),
  delete: operation({
    access: 'member',
    whileEnded: true,
    summary: 'Unsubscribe one of the caller’s devices.',
    input: v.strictObject({ deviceId: deviceIdSchema }),
    answer: okOrNotFound({}),
  }),
  test: operation({
    access: 'member',
    summary: 'Send a test to one of the caller’s devices.',
    refusals: { 'too-many': 'At most ten tests an hour per person.' },
    input: v.strictObject({ deviceId: deviceIdSchema }),
    answer: okOrNotFound({}),
  }),
};

declare module '../core/operation.ts' {
  interface ExampleSubjects {
    readonly deviceId: string;
  }
}

export const deviceExamples: Examples<typeof deviceOperations> = {
  list: () => ({}),
  save: () => ({
    payload: {
      data: {
        endpoint: 'https://push.example.com/send/a1B2c3D4e5',
        // A point on the curve, as browsers send it.
        keys: {
          p256dh: 'BLkAzpBd8OrUE-N17u9aZkSsCutlM5UsPXNbImf7whkHCzcSjaM8vR9Z52tHlRK3PNbl7iPRGc4Zs1SnMebhY3o',
          auth: 'AAECAwQFBgcICQoLDA0ODw',
        },
        label: 'Chrome on Android',
      },
    },
  }),
  delete: ({ deviceId }) => ({ deviceId }),
  test: ({ deviceId }) => ({ deviceId }),
};
