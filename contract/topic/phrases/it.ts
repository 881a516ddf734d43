import type { PresetPhrases } from '../preset.ts';

export const it: PresetPhrases = {
  staff: ['personale', 'camerier*', 'dipendent*', 'staff', 'commess*', 'cassier*', 'barist*', 'receptionist', 'titolar*'],
  service: ['servizio', 'gentil*', 'cortes*', 'scortes*', 'disponibil*', 'maleducat*', 'accoglienza', 'ignorat*', 'cordial*'],
  wait: ['attesa', 'attese', 'aspettare', 'aspettat*', 'in coda', 'in fila', 'lento', 'lenta', 'lentezza'],
  price: ['prezz*', 'costos*', 'economic*', 'caro', 'cara', 'il conto', 'costo', 'costi', 'qualità prezzo'],
  cleanliness: ['pulit*', 'pulizi*', 'sporc*', 'igien*', 'polvere', 'puzza', 'puzzava', 'lercio', 'disordine'],
  product: ['prodott*', 'qualità', 'difett*', 'rotto', 'rotta', 'danneggiat*', 'merce', 'articoli', 'rovinat*'],
  food: ['cibo', 'piatto', 'piatti', 'cucina', 'mangiato', 'caffè', 'bevand*', 'delizios*', 'gustos*'],
  atmosphere: ['atmosfer*', 'ambiente', 'arredament*', 'arredato', 'musica', 'accoglient*', 'location'],
  room: ['camera', 'camere', 'stanza', 'stanze', 'letto', 'letti', 'bagno', 'doccia', 'materass*'],
  breakfast: ['colazion*', 'buffet', 'brunch', 'cornett*', 'brioche', 'croissant*'],
  noise: ['rumor*', 'silenzi*', 'insonorizza*', 'chiasso', 'baccano', 'frastuono', 'pareti sottili', 'tranquill*'],
  selection: ['scelta', 'assortiment*', 'assortit*', 'varietà', 'vasta gamma', 'esaurit*', 'ben fornit*'],
  appointment: ['appuntament*', 'prenotazion*', 'prenotat*', 'puntual*', 'in orario', 'disdett*', 'annullat*', 'segreteria'],
};
