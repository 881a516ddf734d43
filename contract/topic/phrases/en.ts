import type { PresetPhrases } from '../preset.ts';

export const en: PresetPhrases = {
  staff: ['staff', 'waiter*', 'waitress*', 'employee*', 'team', 'cashier*', 'receptionist*', 'barista*', 'manager*'],
  service: ['service', 'served', 'helpful', 'unhelpful', 'friendly', 'unfriendly', 'rude', 'attentive', 'ignored'],
  wait: ['wait', 'waited', 'waiting', 'queue*', 'in line', 'slow', 'took forever', 'delay*'],
  price: ['price*', 'pricing', 'expensive', 'overpriced', 'cheap*', 'value for money', 'cost*', 'bill'],
  cleanliness: ['clean*', 'unclean', 'dirty', 'dirt', 'filthy', 'hygien*', 'messy', 'spotless', 'smelly'],
  product: ['product*', 'quality', 'broken', 'defective', 'well made', 'damaged', 'goods'],
  food: ['food', 'meal*', 'dish', 'dishes', 'coffee', 'drink*', 'delicious', 'tasty', 'taste*'],
  atmosphere: ['atmosphere', 'ambience', 'ambiance', 'cozy', 'cosy', 'decor*', 'music', 'vibe*'],
  room: ['room', 'rooms', 'bed', 'beds', 'bathroom*', 'shower*', 'pillow*', 'mattress*'],
  breakfast: ['breakfast*', 'buffet*', 'brunch', 'croissant*', 'morning coffee'],
  noise: ['noise*', 'noisy', 'loud*', 'quiet', 'thin walls', 'silence'],
  selection: ['selection', 'choice*', 'variety', 'range of', 'out of stock', 'sold out', 'in stock'],
  appointment: ['appointment*', 'booking*', 'rescheduled', 'cancelled', 'on time', 'punctual', 'reception'],
};
