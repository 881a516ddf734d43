import type { PresetPhrases } from '../preset.ts';

export const id: PresetPhrases = {
  staff: ['staf', 'staff', 'stafnya', 'staffnya', 'karyawan*', 'pegawai*', 'pelayan', 'pelayannya', 'kasir*'],
  service: ['pelayanan*', 'layanan*', 'servis*', 'service', 'ramah', 'jutek', 'judes', 'tidak sopan', 'membantu'],
  wait: ['menunggu', 'nunggu*', 'antri', 'antre', 'antrian*', 'antrean*', 'lambat', 'lama banget', 'lelet'],
  price: ['harga', 'harganya', 'mahal', 'kemahalan', 'murah', 'terjangkau', 'biaya*', 'tarif*', 'tagihan*'],
  cleanliness: ['bersih', 'bersihnya', 'kebersihan*', 'kotor*', 'jorok', 'bau', 'higienis', 'berdebu'],
  product: ['produk', 'produknya', 'barang', 'barangnya', 'kualitas*', 'rusak', 'cacat', 'awet'],
  food: ['makanan*', 'minuman*', 'masakan*', 'enak', 'lezat', 'rasanya', 'kopi', 'kopinya', 'hambar'],
  atmosphere: ['suasana*', 'nuansa*', 'dekorasi*', 'musik', 'musiknya', 'interior*', 'cozy', 'vibes'],
  room: ['kamar', 'kamarnya', 'handuk*', 'kasur*', 'ranjang*', 'tempat tidur*', 'bantal*', 'selimut*', 'seprai*'],
  breakfast: ['sarapan*', 'breakfast*', 'prasmanan', 'bufet', 'buffet', 'makan pagi'],
  noise: ['berisik', 'bising*', 'kebisingan', 'ribut', 'gaduh', 'tenang', 'kedap suara', 'suara keras'],
  selection: ['pilihan', 'pilihannya', 'variasi', 'variasinya', 'bervariasi', 'koleksi*', 'stok', 'stoknya', 'lengkap'],
  appointment: ['janji temu', 'buat janji', 'booking*', 'reservasi*', 'jadwal*', 'tepat waktu', 'pendaftaran', 'dibatalkan'],
};
