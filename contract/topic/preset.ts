/** The built-in topics. */
export const PRESET_TOPICS = [
  ...(['staff', 'service', 'wait', 'price', 'cleanliness', 'product', 'food'] as const),
  ...(['atmosphere', 'room', 'breakfast', 'noise', 'selection', 'appointment'] as const),
] as const;
export type PresetTopic = (typeof PRESET_TOPICS)[number];

/** The phrases of the built-in topics in a language: one to three words; with `*` at its end, a phrase matches longer words. */
export type PresetPhrases = Readonly<Record<PresetTopic, readonly string[]>>;
