import type { PresetPhrases } from '../preset.ts';

export const cs: PresetPhrases = {
  staff: ['personál*', 'obsluh*', 'číšní*', 'servírk*', 'zaměstnan*', 'prodavač*', 'pokladní', 'recepční*', 'tým'],
  service: ['služb*', 'servis', 'ochotn*', 'neochotn*', 'vstřícn*', 'přístup', 'arogantn*', 'nepříjemn*', 'přátelsk*'],
  wait: ['čekal*', 'čekat', 'čekán*', 'čekací', 'fronta', 'fronty', 'frontě', 'pomal*', 'zpoždění'],
  price: ['cena', 'ceny', 'cenu', 'ceně', 'cenov*', 'drahé', 'draho', 'předražen*', 'levn*'],
  cleanliness: ['čistý', 'čisté', 'čistá', 'čisto', 'čistot*', 'špinav*', 'hygien*', 'uklizen*', 'zápach'],
  product: ['výrobek', 'výrobk*', 'produkt', 'produkty', 'zboží', 'kvalit*', 'rozbit*', 'poškozen*', 'reklamac*'],
  food: ['jídl*', 'pokrm*', 'polévk*', 'káva', 'kávu', 'nápoj*', 'chutn*', 'oběd*', 'porce'],
  atmosphere: ['atmosfér*', 'prostředí', 'útuln*', 'interiér*', 'hudb*', 'výzdob*', 'posezení'],
  room: ['pokoj', 'pokoje', 'pokoji', 'pokojů', 'postel*', 'koupeln*', 'sprch*', 'matrac*', 'polštář*'],
  breakfast: ['snídan*', 'nasnídali', 'bufet*', 'brunch*', 'švédský stůl', 'švédské stoly', 'croissant*'],
  noise: ['hluk*', 'hlučn*', 'hlasit*', 'ticho', 'tichý', 'tiché', 'klid', 'klidný', 'tenké stěny'],
  selection: ['výběr', 'výběru', 'nabídk*', 'sortiment*', 'vyprodan*', 'skladem', 'rozmanit*', 'nedostupn*', 'na skladě'],
  appointment: ['termín', 'termíny', 'termínu', 'objednan*', 'rezervac*', 'zrušen*', 'přesunut*', 'včas', 'dochviln*'],
};
