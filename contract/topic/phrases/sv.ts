import type { PresetPhrases } from '../preset.ts';

export const sv: PresetPhrases = {
  staff: ['personal', 'personalen', 'servitör*', 'servitris*', 'anställd*', 'kassör*', 'receptionist*', 'barista*', 'chefen'],
  service: ['service', 'servicen', 'bemötande*', 'bemött*', 'hjälpsam*', 'otrevlig*', 'oförskämd*', 'ignorera*', 'tillmötesgående'],
  wait: ['vänta', 'väntade', 'väntan', 'väntetid*', 'kö', 'köer', 'långsam*', 'tog evigheter', 'försening*'],
  price: ['pris', 'priset', 'priser*', 'prisvärd*', 'dyrt', 'dyra', 'överpris*', 'billig*', 'notan'],
  cleanliness: ['rent', 'rena', 'städa*', 'städning*', 'smuts*', 'hygien*', 'skitig*', 'ofräsch*', 'fläckfri*'],
  product: ['produkt*', 'kvalitet*', 'varor', 'varorna', 'trasig*', 'defekt*', 'skadad*', 'välgjord*'],
  food: ['mat', 'maten', 'måltid*', 'rätterna', 'kaffe*', 'dryck*', 'smaka*', 'utsökt*', 'jättegod*'],
  atmosphere: ['atmosfär*', 'stämning*', 'mysig*', 'inredning*', 'musik', 'musiken', 'trivsam*'],
  room: ['rum', 'rummet', 'rummen', 'sängen', 'sängarna', 'badrum*', 'dusch*', 'kudde*', 'madrass*'],
  breakfast: ['frukost*', 'buffé*', 'brunch*', 'croissant*', 'morgonkaffe*'],
  noise: ['buller', 'bullrig*', 'ljudnivå*', 'oljud*', 'högljud*', 'lyhört', 'tyst', 'tystnad*', 'tunna väggar'],
  selection: ['utbud*', 'urval*', 'sortiment*', 'valmöjlighet*', 'slutsåld*', 'slutsålt', 'i lager'],
  appointment: ['bokning*', 'bokad*', 'bokat', 'ombokad*', 'avbokad*', 'tidsbokning*', 'i tid', 'punktlig*', 'receptionen'],
};
