import { Secret, TOTP } from 'otpauth';

/** Returns the code of an authenticator app, now or `steps` half minutes later. */
export function oneTimePassword(secret: string, { now }: { now(): number }, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now() + steps * 30_000 });
}
