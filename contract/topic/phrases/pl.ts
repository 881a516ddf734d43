import type { PresetPhrases } from '../preset.ts';

export const pl: PresetPhrases = {
  staff: ['personel*', 'pracownik*', 'pracownic*', 'kelner*', 'załog*', 'zespół*', 'kasjer*', 'sprzedawc*', 'recepcjonist*'],
  service: ['obsług*', 'serwis', 'uprzejm*', 'nieuprzejm*', 'niemił*', 'pomocn*', 'życzliw*', 'chamsk*', 'zignorowa*'],
  wait: ['czekać', 'czekał*', 'czekali*', 'czas oczekiwania', 'kolejk*', 'kolejce', 'powoln*', 'długo', 'opóźnien*'],
  price: ['cena', 'ceny', 'cenę', 'cenowo', 'drogo', 'drogie', 'tanio', 'koszt*', 'rachun*'],
  cleanliness: ['czysto', 'czyste', 'czysty', 'czystoś*', 'brud*', 'higien*', 'sprzątan*', 'schludn*', 'śmierdzi*'],
  product: ['produkt', 'produkty', 'jakość', 'jakości', 'zepsut*', 'uszkodzon*', 'wadliw*', 'towar', 'towary'],
  food: ['jedzeni*', 'posił*', 'danie', 'dania', 'smaczn*', 'niesmaczn*', 'pyszn*', 'kawa', 'napoj*'],
  atmosphere: ['atmosfer*', 'klimat', 'klimatyczn*', 'wystrój*', 'muzyk*', 'przytuln*', 'nastrój', 'nastrojow*'],
  room: ['pokoj*', 'łóżk*', 'łazienk*', 'prysznic*', 'poduszk*', 'materac*', 'pościel*'],
  breakfast: ['śniadan*', 'bufet*', 'szwedzki stół', 'brunch*', 'croissant*', 'rogalik*'],
  noise: ['hałas*', 'głośn*', 'zgiełk', 'cicho', 'cisza', 'ciszy', 'spokojnie', 'cienkie ściany'],
  selection: ['wybór', 'wyboru', 'wyborem', 'asortyment*', 'ofert*', 'różnorodn*', 'zaopatrzon*', 'wyprzedan*', 'dostępnoś*'],
  appointment: ['termin', 'terminy', 'terminu', 'rezerwac*', 'umówion*', 'punktualn*', 'niepunktualn*', 'odwołan*', 'rejestracj*'],
};
