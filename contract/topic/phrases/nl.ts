import type { PresetPhrases } from '../preset.ts';

export const nl: PresetPhrases = {
  staff: ['personeel*', 'medewerker*', 'ober', 'obers', 'serveerster*', 'bediening', 'team', 'verkoper*', 'receptionist*'],
  service: ['service', 'vriendelijk*', 'onvriendelijk*', 'behulpza*', 'onbeleefd*', 'onbeschoft*', 'genegeerd', 'attent', 'gastvrij*'],
  wait: ['wachten', 'gewacht', 'wachttijd*', 'wachtrij*', 'wachtte', 'in de rij', 'traag', 'duurde lang', 'trage'],
  price: ['prijs', 'prijzen', 'prijzig', 'duur', 'dure', 'goedkoop', 'kosten', 'rekening', 'betaalbaar'],
  cleanliness: ['schoon', 'schone', 'schoongemaakt', 'schoonmaak', 'netjes', 'vies', 'vieze', 'smerig*', 'hygiën*'],
  product: ['product', 'producten', 'kwaliteit*', 'kapot', 'kapotte', 'defect', 'beschadigd*', 'artikel*', 'spullen'],
  food: ['eten', 'gerecht', 'gerechten', 'maaltijd*', 'koffie', 'drankjes', 'lekker', 'lekkere', 'smaak'],
  atmosphere: ['sfeer', 'sfeervol*', 'gezellig*', 'ongezellig*', 'inrichting', 'muziek', 'ambiance', 'aankleding'],
  room: ['kamer', 'kamers', 'hotelkamer*', 'bedden', 'badkamer*', 'douche*', 'kussen*', 'matras*', 'bed'],
  breakfast: ['ontbijt*', 'buffet', 'brunch*', 'croissant*', 'ontbeten'],
  noise: ['lawaai*', 'herrie', 'geluid', 'geluidsoverlast', 'gehorig*', 'luidruchtig*', 'rustig', 'stil', 'dunne muren'],
  selection: ['aanbod', 'keuze', 'keuzes', 'assortiment*', 'uitverkocht', 'op voorraad', 'collectie', 'variatie'],
  appointment: ['afspraak', 'afspraken', 'reservering*', 'gereserveerd', 'op tijd', 'stipt', 'afgezegd', 'geannuleerd', 'balie'],
};
