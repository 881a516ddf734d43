import * as v from 'valibot';

/** An invalid setting, which ends the start with its message. */
export class ConfigError extends Error {}

/** A schema of `true` or `false`, also as 1 or 0. */
export const flag = v.pipe(
  v.picklist(['0', '1', 'true', 'false']),
  v.transform((value) => value === '1' || value === 'true'),
);

export const matching = (pattern: RegExp, isValid: (value: string) => boolean = () => true) =>
  v.pipe(v.string(), v.regex(pattern), v.check(isValid));

export const passing = (isValid: (value: string) => boolean) => v.pipe(v.string(), v.check(isValid));

/** The schemas of settings, each with its description in error messages. */
export type SettingSchemas = Readonly<Record<string, readonly [v.GenericSchema, string]>>;

/** The parsed values, undefined where a setting is unset. */
export type SettingsOf<S extends SettingSchemas> = { readonly [Name in keyof S]: v.InferOutput<S[Name][0]> | undefined };
