import type { PresetPhrases } from '../preset.ts';

export const de: PresetPhrases = {
  staff: ['personal', 'mitarbeiter*', 'kellner*', 'bedienung', 'bedienungen', 'angestellte*', 'team', 'verkäufer*', 'kassierer*'],
  service: ['service', 'bedient', 'beratung', 'freundlich*', 'unfreundlich*', 'hilfsbereit*', 'aufmerksam*', 'unhöflich*', 'ignoriert'],
  wait: ['warten', 'gewartet', 'wartezeit*', 'warteschlange*', 'schlange', 'langsam*', 'ewig gedauert', 'lange gedauert', 'verspätung*'],
  price: ['preis', 'preise', 'preislich', 'preiswert', 'teuer', 'überteuert*', 'günstig', 'kosten', 'rechnung'],
  cleanliness: ['sauber*', 'unsauber*', 'schmutz*', 'dreckig*', 'hygien*', 'gepflegt', 'verschmutzt', 'ungepflegt', 'gestank'],
  product: ['produkt', 'produkte', 'artikel', 'qualität', 'kaputt', 'defekt*', 'beschädigt', 'verarbeitung', 'hochwertig*'],
  food: ['essen', 'speise', 'speisen', 'gericht', 'gerichte', 'getränk*', 'kaffee', 'lecker*', 'geschmeckt'],
  atmosphere: ['atmosphäre', 'ambiente', 'gemütlich*', 'stimmung', 'einrichtung', 'musik', 'flair', 'dekoration', 'ungemütlich'],
  room: ['zimmer', 'zimmern', 'hotelzimmer', 'bett', 'betten', 'badezimmer*', 'dusche', 'matratze*', 'kopfkissen'],
  breakfast: ['frühstück*', 'buffet*', 'büfett', 'brunch*', 'brötchen', 'croissant*'],
  noise: ['lärm*', 'laut', 'laute', 'ruhig', 'hellhörig*', 'geräusch*', 'krach', 'nachtruhe', 'stille'],
  selection: ['auswahl*', 'sortiment*', 'angebot', 'vielfalt', 'ausverkauft', 'vorrätig', 'nicht verfügbar', 'auf lager'],
  appointment: ['termin', 'termine', 'terminvergabe', 'terminvereinbarung', 'pünktlich*', 'unpünktlich*', 'abgesagt', 'verschoben'],
};
