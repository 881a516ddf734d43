import type { LanguageTag } from '../language/languages.ts';
import { ar } from './phrases/ar.ts';
import { cs } from './phrases/cs.ts';
import { de } from './phrases/de.ts';
import { el } from './phrases/el.ts';
import { en } from './phrases/en.ts';
import { es } from './phrases/es.ts';
import { fa } from './phrases/fa.ts';
import { fr } from './phrases/fr.ts';
import { he } from './phrases/he.ts';
import { hi } from './phrases/hi.ts';
import { id } from './phrases/id.ts';
import { it } from './phrases/it.ts';
import { ja } from './phrases/ja.ts';
import { ko } from './phrases/ko.ts';
import { nl } from './phrases/nl.ts';
import { pl } from './phrases/pl.ts';
import { pt } from './phrases/pt.ts';
import { sv } from './phrases/sv.ts';
import { th } from './phrases/th.ts';
import { tr } from './phrases/tr.ts';
import { uk } from './phrases/uk.ts';
import { vi } from './phrases/vi.ts';
import { zhHans } from './phrases/zh-Hans.ts';
import { zhHant } from './phrases/zh-Hant.ts';
import type { PresetPhrases, PresetTopic } from './preset.ts';
import type { BusinessType } from './topic.ts';

/** The topics that a type of business starts with. */
export const PRESETS: Readonly<Record<BusinessType, readonly PresetTopic[]>> = {
  restaurant: ['food', 'service', 'staff', 'wait', 'price', 'cleanliness', 'atmosphere'],
  hotel: ['room', 'breakfast', 'staff', 'service', 'cleanliness', 'noise', 'price'],
  shop: ['product', 'selection', 'staff', 'service', 'wait', 'price', 'cleanliness'],
  health: ['appointment', 'staff', 'service', 'wait', 'price', 'cleanliness'],
  other: ['staff', 'service', 'wait', 'price', 'cleanliness', 'product'],
};

export const PRESET_NAMES: Readonly<Record<PresetTopic, string>> = {
  staff: 'Staff',
  service: 'Service',
  wait: 'Waiting time',
  price: 'Price',
  cleanliness: 'Cleanliness',
  product: 'Products',
  food: 'Food and drink',
  atmosphere: 'Atmosphere',
  room: 'Room',
  breakfast: 'Breakfast',
  noise: 'Noise',
  selection: 'Selection',
  appointment: 'Appointments',
};

export const PRESET_PHRASES: Readonly<Record<LanguageTag, PresetPhrases>> = {
  ...{ ar, cs, de, el, en, es, fa, fr, he, hi, id, it, ja, ko, nl, pl, pt, sv, th, tr, uk, vi },
  'zh-Hans': zhHans,
  'zh-Hant': zhHant,
};
