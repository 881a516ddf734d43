import { Secret, TOTP } from 'otpauth';

/** What the app on somebody's phone shows, now or `steps` half minutes later. */
export function oneTimePassword(secret: string, { now }: { now(): number }, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now() + steps * 30_000 });
}
