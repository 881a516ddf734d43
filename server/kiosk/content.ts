import { blockOf, gaugeOf, stepOf } from '#contract/form/steps.ts';
import type { KioskContent } from '#contract/kiosk/kiosk.ts';
import { kioskScreen } from '#contract/kiosk/screen.ts';
import type { FormReader } from '../form/store.ts';
import { sha256 } from '../platform/sha256.ts';
import type { StoredKiosk } from './store.ts';

interface ShownContent {
  readonly content: KioskContent;
  readonly revision: string;
}

/** Returns what a kiosk shows, with its revision; undefined without its form. */
export async function contentOf(forms: FormReader, { kiosk, formId, pinHash }: StoredKiosk): Promise<ShownContent | undefined> {
  const target = await forms.byId(formId);
  if (!target) return undefined;
  const { data, id } = kiosk;
  const { steps, version, inviteToReview, displayName: place } = target.form.data;
  const text = blockOf(stepOf(steps, 'experience'), 'OpenText');
  const { languages: tags, look } = target;
  const content: KioskContent = {
    ...kioskScreen(target.form.data, { formId, place, inviteToReview, look, tags, thanks: data.thanks }),
    kioskId: id,
    name: data.displayName,
    formId,
    formVersion: version,
    gauge: gaugeOf(steps).uuid,
    ...(text && { text: text.uuid }),
    repeatWithin: data.repeatWithin,
    pinHash: pinHash.toString('hex'),
    ...(target.closed && { isClosed: true }),
  };
  return { content, revision: sha256(JSON.stringify(content)).toString('base64url') };
}
