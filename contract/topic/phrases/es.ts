import type { PresetPhrases } from '../preset.ts';

export const es: PresetPhrases = {
  staff: ['personal', 'camarero*', 'camarera*', 'mesero*', 'mesera*', 'empleado*', 'empleada*', 'equipo', 'recepcionista*'],
  service: ['servicio', 'atención', 'atendieron', 'atento*', 'amable*', 'amabilidad', 'antipátic*', 'maleducad*', 'grosero*'],
  wait: ['esperar', 'esperando', 'esperamos', 'espera', 'la cola', 'hacer cola', 'lento', 'demora*', 'tardaron'],
  price: ['precio', 'precios', 'caro', 'caros', 'muy cara', 'carísimo', 'barat*', 'económic*', 'la cuenta'],
  cleanliness: ['limpi*', 'sucio*', 'sucia*', 'suciedad', 'higien*', 'impecable*', 'asqueros*', 'mal olor'],
  product: ['producto', 'productos', 'calidad', 'defectuos*', 'dañado', 'artículo*', 'mercancía*', 'estropead*'],
  food: ['comida*', 'plato', 'platos', 'café', 'bebida*', 'delicios*', 'sabor', 'sabros*', 'rico'],
  atmosphere: ['ambiente', 'atmósfera', 'acogedor*', 'decoración', 'decorado', 'música', 'ambientación', 'iluminación'],
  room: ['habitación', 'habitaciones', 'cama', 'camas', 'ducha*', 'colchón', 'colchones', 'almohada*', 'cuarto de baño'],
  breakfast: ['desayuno*', 'desayunar', 'desayunamos', 'bufé', 'buffet*', 'brunch*', 'cruasán'],
  noise: ['ruido*', 'bulla', 'silencio*', 'tranquilo', 'tranquila', 'insonoriza*', 'paredes finas', 'se oye todo'],
  selection: ['variedad*', 'surtido*', 'gama', 'opciones', 'agotado', 'sin stock', 'existencias', 'no tenían', 'para elegir'],
  appointment: ['cita', 'citas', 'turno', 'reserva', 'cancelaron', 'cancelada', 'puntual*', 'impuntual*', 'a tiempo'],
};
