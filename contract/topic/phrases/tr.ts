import type { PresetPhrases } from '../preset.ts';

export const tr: PresetPhrases = {
  staff: ['personel*', 'garson*', 'çalışanlar*', 'görevli*', 'kasiyer*', 'resepsiyonist*', 'barista*', 'yönetici*', 'ekip'],
  service: ['servis*', 'hizmet*', 'ilgilen*', 'ilgisiz*', 'güler yüzlü*', 'güleryüz*', 'kaba', 'yardımsever*', 'saygısız*'],
  wait: ['bekleme', 'beklemek', 'bekledik', 'beklett*', 'sıra bekle*', 'kuyru*', 'yavaş*', 'gecik*', 'uzun sürdü'],
  price: ['fiyat*', 'pahalı*', 'ucuz', 'ucuza', 'ücret*', 'hesap', 'hesabı', 'fahiş', 'kazık'],
  cleanliness: ['temiz*', 'tertemiz*', 'kirli*', 'pis', 'pislik*', 'hijyen*', 'lekeli*', 'bakımsız*', 'kötü koku*'],
  product: ['ürün', 'ürünü', 'ürünler*', 'kalite*', 'bozuk', 'kusurlu*', 'hasarlı*', 'defolu*', 'sağlam'],
  food: ['yemek*', 'yemeğ*', 'lezzet*', 'kahve', 'kahvesi', 'içecek*', 'tatlılar*', 'porsiyon*', 'tadı'],
  atmosphere: ['atmosfer*', 'ambiyans*', 'ortam', 'ortamı', 'dekor*', 'müzik*', 'müziğ*', 'huzurlu*', 'manzara*'],
  room: ['oda', 'odası', 'odalar*', 'odamız*', 'yatak*', 'banyo*', 'duşu', 'yastık*', 'çarşaf*'],
  breakfast: ['kahvaltı*', 'açık büfe', 'serpme', 'brunch*', 'kruvasan*', 'omlet*'],
  noise: ['gürültü*', 'sessiz*', 'yüksek sesle', 'ses yalıtımı', 'ses geliyor', 'ses izolasyonu', 'ince duvar*', 'sesten'],
  selection: ['çeşit', 'çeşidi', 'çeşitlilik*', 'seçenek*', 'seçeneğ*', 'alternatif*', 'stokta', 'stoklar*', 'tükenmiş*'],
  appointment: ['randevu*', 'rezervasyon*', 'iptal*', 'ertele*', 'zamanında', 'vaktinde', 'dakik', 'resepsiyon', 'resepsiyonda'],
};
