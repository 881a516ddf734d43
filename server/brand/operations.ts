import { type Brand, type BrandChanges, type brandOperations, LARGEST_LOGO, MOST_LOGOS } from '#contract/brand/brand.ts';
import type { BrandLook, LogoPicture } from '#contract/brand/look.ts';
import { badField } from '#contract/core/errors.ts';
import { NOT_FOUND } from '#contract/core/schema.ts';
import { HOUR } from '#contract/core/time.ts';
import { record } from '../event/store.ts';
import { type DrawnLogo, PICTURE_FAULTS, type Pictures } from '../platform/images/images.ts';
import type { AccountScope } from '../platform/tenancy/access.ts';
import { type Handlers, SlowWork } from '../platform/tenancy/dispatch.ts';
import { countWithin } from '../platform/tenancy/rate-limit.ts';
import * as store from './store.ts';

const LOGOS = { name: 'logos', most: MOST_LOGOS, within: HOUR };

export function openBrand(pictures: Pictures) {
  return {
    async get({ scope }) {
      return { status: 'ok', brand: brandOf(scope, await store.read(scope)) };
    },
    async save({ scope }, { payload: { id, data } }) {
      if (id !== scope.accountId) return NOT_FOUND;
      const picture = data.logo?.picture;
      if (picture === undefined) return change(scope, data);
      await countWithin(scope, LOGOS, scope.accountId);
      return new SlowWork(async () => {
        const drawn = await draw(picture, scope.accountId);
        return (current) => change(current.scope, data, drawn);
      });
    },
  } satisfies Handlers<typeof brandOperations>;

  async function draw(picture: string, by: string): Promise<DrawnLogo> {
    const result = await pictures.logo(picture, by);
    if ('fault' in result) throw badField('payload.data.logo.picture', PICTURE_FAULTS[result.fault]);
    if (result.page.picture.length > LARGEST_LOGO)
      throw badField('payload.data.logo.picture', 'This picture has too many details for a logo');
    return result;
  }
}

/** Applies changes, and records them if there are any. */
async function change(scope: AccountScope, changes: BrandChanges, drawn?: DrawnLogo) {
  const before = await store.lock(scope);
  const after = changedLook(before, changes, drawn?.page);
  if (JSON.stringify(after) !== JSON.stringify(before)) {
    await store.save(scope, after, drawn?.mail);
    await record(scope, 'brand.changed', { subject: scope.accountId, data: {} });
  }
  return { status: 'ok', brand: brandOf(scope, after) } as const;
}

function changedLook(before: BrandLook, { accent, corners, logo }: BrandChanges, drawn: LogoPicture | undefined): BrandLook {
  const picture = drawn ?? before.logo;
  if (logo && !picture) throw badField('payload.data.logo.picture', 'Choose a picture');
  const newAccent = accent === undefined ? before.accent : accent;
  const newLogo = logo && picture ? { ...picture, alt: logo.alt } : logo === null ? undefined : before.logo;
  return {
    corners: corners ?? before.corners,
    ...(newAccent && { accent: newAccent }),
    ...(newLogo && { logo: newLogo }),
  };
}

const brandOf = ({ accountId }: AccountScope, data: BrandLook): Brand => ({ id: accountId, sk: 'BRAND', gs1sk: accountId, data });
