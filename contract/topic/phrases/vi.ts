import type { PresetPhrases } from '../preset.ts';

export const vi: PresetPhrases = {
  staff: ['nhân viên', 'bồi bàn', 'thu ngân', 'lễ tân', 'quản lý', 'đội ngũ', 'pha chế', 'tiếp viên'],
  service: ['phục vụ', 'dịch vụ', 'nhiệt tình', 'thân thiện', 'thái độ', 'chu đáo', 'thô lỗ', 'lịch sự', 'cộc cằn'],
  wait: ['chờ đợi', 'chờ lâu', 'đợi lâu', 'chờ mãi', 'phải đợi', 'xếp hàng', 'quá chậm', 'rất chậm', 'chậm trễ'],
  price: ['giá cả', 'mức giá', 'giá tiền', 'giá rẻ', 'giá hợp lý', 'quá đắt', 'quá mắc', 'đáng tiền', 'hóa đơn'],
  cleanliness: ['sạch sẽ', 'rất sạch', 'không sạch', 'dơ bẩn', 'bẩn thỉu', 'vệ sinh', 'gọn gàng', 'mùi hôi', 'bụi bặm'],
  product: ['sản phẩm', 'chất lượng', 'hàng hóa', 'bị hỏng', 'bị lỗi', 'bị vỡ', 'hàng lỗi'],
  food: ['đồ ăn', 'món ăn', 'thức ăn', 'bữa ăn', 'đồ uống', 'nước uống', 'cà phê', 'ngon', 'hương vị'],
  atmosphere: ['không gian', 'không khí', 'trang trí', 'nội thất', 'âm nhạc', 'ấm cúng', 'view đẹp', 'phong cách', 'decor'],
  room: ['phòng ốc', 'căn phòng', 'phòng ngủ', 'phòng rộng', 'phòng nhỏ', 'phòng tắm', 'giường', 'vòi sen', 'chăn ga'],
  breakfast: ['bữa sáng', 'ăn sáng', 'điểm tâm', 'buffet', 'brunch'],
  noise: ['ồn ào', 'tiếng ồn', 'yên tĩnh', 'yên ắng', 'cách âm', 'ầm ĩ', 'inh ỏi', 'tường mỏng', 'im lặng'],
  selection: ['lựa chọn', 'đa dạng', 'phong phú', 'nhiều loại', 'chủng loại', 'mẫu mã', 'hết hàng', 'còn hàng'],
  appointment: ['lịch hẹn', 'cuộc hẹn', 'đặt lịch', 'đặt hẹn', 'đặt chỗ', 'đổi lịch', 'hủy lịch', 'đúng giờ', 'trễ hẹn'],
};
