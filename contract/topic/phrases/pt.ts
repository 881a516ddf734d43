import type { PresetPhrases } from '../preset.ts';

export const pt: PresetPhrases = {
  staff: ['funcionári*', 'garçom', 'garçons', 'garçonete*', 'empregad*', 'equipe', 'equipa', 'atendente*', 'gerente*'],
  service: ['serviço', 'serviços', 'atendimento', 'atendid*', 'simpátic*', 'antipátic*', 'atencios*', 'educad*', 'prestativ*'],
  wait: ['espera', 'esperar', 'esperei', 'esperando', 'fila', 'filas', 'demor*', 'lento', 'lenta'],
  price: ['preço', 'preços', 'caro', 'caros', 'caríssim*', 'barat*', 'custo', 'valor', 'a conta'],
  cleanliness: ['limp*', 'sujo', 'suja', 'sujos', 'sujeira', 'sujidade', 'imund*', 'higien*', 'mau cheiro'],
  product: ['produto', 'produtos', 'qualidade', 'defeit*', 'quebrad*', 'estragad*', 'danificad*', 'avariad*', 'mercadoria*'],
  food: ['comida', 'comidas', 'prato', 'pratos', 'refeiç*', 'bebida*', 'café', 'delicios*', 'sabor*'],
  atmosphere: ['ambiente', 'atmosfera', 'decoraç*', 'música', 'aconchegant*', 'acolhedor*', 'clima', 'decorad*', 'intimista'],
  room: ['quarto', 'quartos', 'cama', 'camas', 'banheiro*', 'casa de banho', 'chuveiro*', 'colch*', 'travesseiro*'],
  breakfast: ['café da manhã', 'pequeno-almoço', 'pequenos-almoços', 'buffet', 'bufê', 'brunch', 'croissant*'],
  noise: ['barulh*', 'ruído', 'ruidos*', 'tranquil*', 'silêncio', 'silencios*', 'sossegad*', 'som alto', 'paredes finas'],
  selection: ['variedade*', 'variad*', 'opções', 'escolha', 'seleção', 'esgotad*', 'em estoque', 'em stock', 'em falta'],
  appointment: ['consulta', 'consultas', 'marcação', 'marcações', 'agendament*', 'agendad*', 'pontual*', 'reserva', 'recepção'],
};
