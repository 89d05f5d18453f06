import type { LanguageWords } from './language.ts'

/** The languages of south-eastern Asia. */
export const SOUTH_EAST: Record<string, LanguageWords> = {
  id: {
    go: 'lanjut|berikutnya|buka|mulai|klik|di sini|menuju|lihat permintaan|yuk',
    user: 'nama pengguna|username|pengguna|nim(?!\\p{L})',
    promo:
      'diskon|kupon|promo|voucher|hadiah|ajak teman|referal|poin|bonus|lisensi|nomor seri|keranjang|cashback|penawaran|tukar(?:kan)? kode',
    meeting: 'rapat|webinar|panggilan video|konferensi|wawancara|zoom',
    place: 'pintu|gerbang|wi-?fi|kotak kunci|alarm|garasi|parkir|loker|jaringan|kamar',
    pickup:
      'ambil|pengambilan|paket|kiriman|pengiriman|kurir|driver|sopir|resi(?!d)|lacak|nomor pesanan|pengemudi|loket|paket',
    visit: 'janji temu|pemesanan|reservasi|tiket|antrean|kursi|nomor kasus|klaim|laporan \\d|nomor antrean|keluhan',
    done: '(?:telah|sudah|berhasil) (?:berhasil )?(?:diverifikasi|dikonfirmasi|diaktifkan|aktif|selesai|diubah|diganti|dibuat|dihapus|disetujui)|berhasil|terima kasih telah (?:mengonfirmasi|memverifikasi)|semua siap',
    news: 'buletin|newsletter|berlangganan|langganan|milis',
    code: 'kode|otp|pin(?!\\p{L})|kata sandi sekali pakai|kata sandi sementara|sandi sementara|kode (?:verifikasi|otp|masuk|akses|keamanan|aktivasi|sekali pakai)|kata sandi awal|angka|nomor verifikasi|nomor konfirmasi|kode sms|kode rahasia|kode akses|kode unik|kode sementara|sandi sms|kode login|kata masuk|frasa masuk|deret angka|angka berikut|angka di bawah|nomor (?:rahasia|keamanan|verifikasi)|kata sandi (?:sementara|awal|sekali)|sandi (?:awal|sekali)|kunci (?:akses|masuk)|kombinasi|password sementara|password sekali pakai|password awal|mtoken',
    verify:
      'verifikasi|konfirmasi|aktivasi|aktifkan|validasi|autentikasi|selesaikan pendaftaran|selesaikan|setujui|berlangganan|memastikan|bahwa ini anda|ini benar anda|menyelesaikan|selesaikan|otorisasi|setujui|sahkan',
    login:
      'masuk|login|log masuk|keamanan|akses|identitas|sekali pakai|daftar|perangkat|otentikasi|sesi|pasangkan|akun',
    password: 'kata sandi|sandi|password',
    join: 'terima undangan|gabung|terima|lihat undangan|ikut|bergabung',
    temporary: 'sementara|awal|sekali pakai',
    enter:
      'masukkan|gunakan|ketik|isi(?:kan)?|input|salin|tempel|ketikkan|manual|kalau tidak|atau ketik|tempel|ketik|salin|untuk melanjutkan|tulis',
    alert:
      'login baru|masuk baru|perangkat baru|(?:telah|berhasil|baru saja) (?:diubah|diganti|diperbarui|disetel)|tidak biasa|mencurigakan',
    yes: 'ya,|ini saya|setujui|ya(?:!|$)|saya setuju|izinkan|benar|ya$|mau|betul|alamat saya|saya berlangganan|terima',
    trade:
      'kuesioner|teman|rapat|diskon|promo|kupon|voucher|hadiah|penawaran|pesanan|order|tagihan|faktur|struk|booking|pemesanan|reservasi|tiket|resi(?!d)|pengiriman|paket|pengambilan|ambil pesanan|kurir|janji temu|keluhan|pengaduan|antrean|undian|wifi|survei|kuis|pengembalian|lisensi|kode cadangan|loker|resep|keranjang|rekening koran|polis|ojek|driver|langganan',
    other:
      'warna|sampel|peserta|kursus|kelas|bea cukai|hs(?!\\p{L})|pelamar|pos|negara|area|qr|batang|kesalahan|pelanggan|rekening|referensi|telepon|telp|hubungi|faks|kartu|berakhiran|npwp|versi|transaksi|pembayaran|nomor|ekstensi|polis|meteran|nik|nim|ktp|berakhir(?: di| dengan)?|akhiran|layanan pelanggan',
    notMe: 'bukan (?:anda|kamu)|tidak (?:melakukan|mengubah)|amankan akun|bukan saya|blokir|tolak|batalkan',
    quiet:
      'berhenti berlangganan|preferensi|privasi|ketentuan|syarat|bantuan|dukungan|hubungi kami|peramban|browser|selengkapnya|baca|unduh|toko|lapor|pengaturan|ulasan',
    unit: 'menit|jam|hari|minggu|bulan|tahun|detik|poin|buah|barang|rupiah|orang|persen|km',
    care: 'jangan (?:bagikan|berikan|beri|sebar)|siapa ?pun|berlaku|kedaluwarsa|kadaluarsa|abaikan|tidak (?:meminta|merasa)|masukkan|gunakan|jgn|jangan dibagi|rahasia|hanya berlaku|menit',
  },
  ms: {
    go: 'teruskan|seterusnya|buka|mula|klik|di sini|pergi ke|lihat permintaan',
    user: 'nama pengguna|pengguna',
    promo:
      'diskaun|kupon|promosi|baucar|hadiah|rujukan|ajak rakan|mata ganjaran|bonus|lesen (?:perisian|produk)|nombor siri|troli|tawaran|pulangan tunai|tebus',
    meeting: 'mesyuarat|webinar|panggilan video|persidangan|temu duga|zoom',
    place: 'pintu|wi-?fi|kotak kunci|penggera|garaj|parkir|loker|rangkaian|bilik',
    pickup: 'ambil|pengambilan|bungkusan|penghantaran|kurier|pemandu|jejak|nombor pesanan|pemandu|kaunter',
    visit: 'temujanji|tempahan|tiket|giliran|tempat duduk|nombor kes|tuntutan|nombor giliran|aduan',
    done: '(?:telah|sudah|berjaya) (?:berjaya )?(?:disahkan|diaktifkan|aktif|selesai|ditukar|diubah|dicipta|dipadam|diluluskan)|berjaya|terima kasih kerana mengesahkan',
    news: 'buletin|surat berita|langgan|senarai mel',
    code: 'kod|otp|tac|pin|kata laluan sekali guna|kata laluan sementara|kod (?:pengesahan|tac|otp|log masuk)|kata laluan awal|angka|nombor pengesahan|kod sms|kod rahsia|kod akses|kod unik|kod sementara|nombor tac|perkataan masuk|frasa masuk|nombor (?:berikut|rahsia|keselamatan|pengesahan)|angka berikut|kata laluan (?:sementara|awal|sekali)|kunci akses|kombinasi|pin sementara|kata laluan satu kali|katalaluan sementara|password sementara',
    verify:
      'pengesahan|sahkan|mengesahkan|aktif|pengaktifan|tentusah|lengkapkan pendaftaran|lengkapkan|luluskan|langganan|memastikan|bahawa ini anda|selesaikan|otorisasi|luluskan|kebenaran',
    login: 'log masuk|keselamatan|akses|identiti|sekali guna|daftar|pendaftaran|peranti|sesi|akaun|pasangkan',
    password: 'kata laluan',
    join: 'terima jemputan|sertai|terima|lihat jemputan|turut serta',
    temporary: 'sementara|awal|sekali guna',
    enter: 'masukkan|gunakan|taip|isi|salin|tampal|taipkan|manual|kalau tidak|masuk kod|untuk meneruskan|guna(?!an)',
    alert:
      'log masuk baharu|log masuk baru|peranti baharu|peranti baru|telah (?:ditukar|diubah|dikemas|ditetapkan)|luar biasa|mencurigakan',
    yes: 'ya,|itu saya|luluskan|sahkan|ya(?:!|$)|saya sahkan|benarkan|setuju|ya$|betul|mahu|alamat saya|saya mahu|terima',
    trade:
      'mesyuarat|diskaun|promosi|kupon|baucar|hadiah|tawaran|pesanan|invois|resit|tempahan|tiket|penjejakan|penghantaran|bungkusan|pengambilan|kurier|temujanji|aduan|giliran|cabutan|wifi|tinjauan|pertandingan|bayaran balik|pulangan|lesen (?:perisian|produk)|kod sandaran|loker|preskripsi|troli|penyata|sebut harga|polisi',
    other:
      'pasukan|warna|sampel|peserta|kursus|kelas|kastam|pos|poskod|negara|kawasan|qr|bar|ralat|pelanggan|akaun bank|rujukan|telefon|tel|hubungi|faks|kad|berakhir|versi|transaksi|pembayaran|nombor|sambungan|polisi|meter|kad pengenalan|pelajar|berakhir(?: di| dengan)?|hujung|khidmat pelanggan',
    notMe: 'bukan anda|tidak (?:membuat|melakukan)|lindungi akaun|bukan saya|sekat|tolak|batalkan',
    quiet:
      'berhenti melanggan|keutamaan|privasi|terma|syarat|bantuan|sokongan|hubungi kami|pelayar|ketahui|baca|muat turun|kedai|lapor|tetapan|ulasan',
    unit: 'minit|jam|hari|minggu|bulan|tahun|saat|mata|unit|barang|ringgit|orang|peratus|km',
    care: 'jangan (?:kongsi|dedah|beri)|sesiapa|sah (?:selama|untuk)|tamat tempoh|abaikan|tidak (?:meminta|membuat)|masukkan|gunakan',
  },
  vi: {
    go: 'tiếp tục|tiếp theo|mở|bắt đầu|bấm|nhấn|tại đây|đến|xem yêu cầu',
    user: 'tên đăng nhập|tên người dùng|người dùng|tài khoản:|mssv',
    promo:
      'giảm giá|mã giảm|khuyến m|ưu đãi|voucher|quà|giới thiệu bạn|mã giới thiệu|điểm thưởng|thưởng|bản quyền|số sê-?ri|giỏ hàng|hoàn tiền|giam gia|khuyen mai|uu dai|giảm \\d|giảm còn',
    meeting: 'cuộc họp|hội thảo|gọi video|hội nghị|phỏng vấn|zoom',
    place: 'cửa(?! sổ)|cổng|wi-?fi|hộp khóa|báo động|gara|đỗ xe|gửi xe|tủ khóa|mạng|phòng',
    pickup:
      'nhận hàng|lấy hàng|bưu kiện|gói hàng|giao hàng|vận đơn|shipper|tài xế|theo dõi đơn|mã đơn|don hang|giao hang|tài xế|tại quầy',
    visit: 'lịch hẹn|cuộc hẹn|đặt chỗ|đặt phòng|vé(?!\\p{L})|hàng chờ|số thứ tự|ghế|hồ sơ số|yêu cầu (?:số|\\d)',
    done: '(?:đã|vừa) (?:được )?(?:xác minh|xác nhận|xác thực|kích hoạt|hoàn tất|hoàn thành|thay đổi|đổi|tạo|xóa|phê duyệt|cập nhật)|thành công|cảm ơn bạn đã xác|thanh cong',
    news: 'bản tin|đăng ký nhận|theo dõi bản tin|newsletter',
    code: 'mã xác (?:minh|nhận|thực)|mã otp|otp|mã đăng nhập|mã bảo mật|mã kích hoạt|mật khẩu (?:dùng một lần|tạm thời)|mã pin|mã|ma (?:xac|otp|dang|bao|kich|pin)|mã số|mật khẩu (?:ban đầu|khởi tạo|một lần)|dãy số|ma nay la|mã số xác|mã sms|mã bí mật|mã truy cập|số xác nhận|số xác minh|mật khẩu otp|mật khẩu tạm|ma xac|mã giao dịch otp|ma bao mat|mat khau otp|mã smart otp|mã số bảo mật|cụm từ đăng nhập|các số|dãy số|chữ số|con số|số bí mật|mật mã|mật khẩu (?:tạm|ban đầu|sms)|khóa truy cập|mã số|mã tạm|mật khẩu mặc định|ma giao dich',
    verify:
      'xác minh|xác nhận|xác thực|kích hoạt|hoàn tất đăng ký|xac (?:minh|thuc|nhan)|kich hoat|hoàn tất|phê duyệt|đảm bảo|chắc chắn|rằng đây là bạn|hoàn thành|phê duyệt|ủy quyền|ký số|hoàn tất',
    login: 'đăng nhập|bảo mật|truy cập|danh tính|một lần|đăng ký|thiết bị|an toàn|dang nhap|phiên|ghép nối|tài khoản',
    password: 'mật khẩu',
    join: 'chấp nhận lời mời|tham gia|chấp nhận|xem lời mời',
    temporary: 'tạm thời|tạm|ban đầu|một lần|khởi tạo',
    enter: 'nhập|sử dụng|dùng|điền|nhap|gõ|sao chép|dán|ghi|thủ công|nếu không thì|tự nhập|bấm|soạn|để tiếp tục',
    alert: 'đăng nhập mới|thiết bị mới|(?:đã|vừa) (?:được )?(?:thay đổi|đổi|cập nhật|đặt lại)|bất thường|đáng ngờ',
    yes: 'đồng ý|có,|đúng là tôi|là tôi|có(?: |!|$)|tôi đồng ý|cho phép|chính tôi|có$|đúng|muốn|email của tôi|đây là|chấp nhận',
    trade:
      'bạn bè|giới thiệu|thưởng|lịch hẹn|đặt lịch|lịch khám|cuộc họp|giảm giá|khuyến m|ưu đãi|voucher|quà|đơn hàng|đặt hàng|hóa đơn|biên lai|đặt chỗ|đặt phòng|vé|yêu cầu số|vận đơn|theo dõi|giao hàng|bưu kiện|nhận hàng|giao nhận|shipper|cuộc hẹn|khiếu nại|số thứ tự|quay số|wifi|khảo sát|cuộc thi|hoàn tiền|trả hàng|bản quyền|mã dự phòng|tủ|đơn thuốc|giỏ hàng|sao kê|báo giá|bảo hiểm|rút thăm',
    other:
      'đội|màu|mẫu|người tham gia|khóa học|lớp|hải quan|ứng viên|thí sinh|bưu chính|vùng|quốc gia|qr|vạch|lỗi|khách hàng|thành viên|tài khoản số|số tài khoản|tham chiếu|điện thoại|đt|gọi|hotline|fax|thẻ|đuôi|số thuế|thuế|phiên bản|giao dịch|thanh toán|máy lẻ|hợp đồng|bảo hiểm|công tơ|cccd|sinh viên|cuối|duoi|so cuoi|hỗ trợ|tổng đài',
    notMe: 'không phải (?:là )?bạn|không thực hiện|bảo vệ tài khoản|không phải tôi|khóa|từ chối|hủy thay đổi',
    quiet:
      'hủy đăng ký|bỏ đăng ký|tùy chọn|quyền riêng tư|bảo mật thông tin|điều khoản|trợ giúp|hỗ trợ|liên hệ|trình duyệt|tìm hiểu|đọc|tải|cửa hàng|báo cáo|cài đặt|đánh giá',
    unit: 'phút|giờ|ngày|tuần|tháng|năm|giây|điểm|cái|chiếc|sản phẩm|đồng|vnd|đ|người|phần trăm|km',
    care: 'không (?:chia sẻ|cung cấp|tiết lộ)|bất kỳ ai|với ai|hiệu lực|hết hạn|bỏ qua|không yêu cầu|nhập|khong chia se|khong cung cap|het han|hieu luc|không đưa|tuyệt đối không|khong cung|khong tiet lo|giữ bí mật',
  },
  th: {
    go: 'ดำเนินการต่อ|ต่อไป|ถัดไป|เปิด|เริ่ม|คลิก|กดที่นี่|ที่นี่|ไปที่',
    user: 'ชื่อผู้ใช้|ผู้ใช้|รหัสนักศึกษา',
    promo: 'ส่วนลด|คูปอง|โปรโมชั่น|โปรโมชัน|ของขวัญ|ชวนเพื่อน|แนะนำเพื่อน|คะแนน|รางวัล|โบนัส|ไลเซนส์|ซีเรียล|ตะกร้า|เงินคืน|ลด ?\\d',
    meeting: 'ประชุม|สัมมนา|วิดีโอคอล|สัมภาษณ์|zoom',
    place: 'ประตู|ไวไฟ|wi-?fi|กล่องกุญแจ|สัญญาณกันขโมย|โรงรถ|ที่จอดรถ|ล็อกเกอร์|เครือข่าย|ห้อง',
    pickup: 'รับสินค้า|รับพัสดุ|พัสดุ|จัดส่ง|ขนส่ง|ไรเดอร์|คนขับ|ติดตาม|หมายเลขคำสั่งซื้อ|เลขพัสดุ|เคาน์เตอร์|คนขับ',
    visit: 'นัด|จอง|ตั๋ว|คิว|ที่นั่ง|เลขที่เคลม',
    done: '(?:เรียบร้อยแล้ว|สำเร็จ|แล้วเสร็จ|ยืนยันแล้ว|เปิดใช้งานแล้ว|เสร็จสมบูรณ์|ถูกเปลี่ยน)|ขอบคุณที่ยืนยัน',
    news: 'จดหมายข่าว|สมัครรับ|ข่าวสาร',
    code: 'รหัสยืนยัน|รหัสผ่านชั่วคราว|รหัสผ่านแบบใช้ครั้งเดียว|รหัส otp|otp|รหัสความปลอดภัย|รหัสเข้าสู่ระบบ|รหัส|รหัสที่ใช้ครั้งเดียว|รหัสชั่วคราว|โค้ด|ตัวเลข|pin|หมายเลขยืนยัน|รหัสลับ|รหัสเข้า|รหัสอ้างอิงการยืนยัน|โอทีพี|รหัสปลดล็อก|รหัสผ่านครั้งเดียว|พิน|คำเข้าสู่ระบบ|วลี|ตัวเลข|เลข(?:ต่อไป|ด้านล่าง|ยืนยัน)|รหัสลับ|รหัสชั่วคราว|รหัสเริ่มต้น|พาสเวิร์ดชั่วคราว|หมายเลขความปลอดภัย|โทเค็น',
    verify:
      'ยืนยัน|เปิดใช้งาน|ตรวจสอบสิทธิ์|สมัครให้เสร็จ|เสร็จสิ้นการสมัคร|เปิดใช้|อนุมัติ|สมัครรับ|เพื่อให้แน่ใจ|ว่าเป็นคุณ|อนุมัติ|อนุญาต|ทำ(?:รายการ|การ)ให้เสร็จ|ลงนาม',
    login: 'เข้าสู่ระบบ|ลงชื่อเข้า|ความปลอดภัย|เข้าถึง|ตัวตน|ครั้งเดียว|ลงทะเบียน|สมัคร|อุปกรณ์|เข้าแอป|ล็อกอิน|เซสชัน|จับคู่|บัญชี',
    password: 'รหัสผ่าน',
    join: 'ยอมรับคำเชิญ|เข้าร่วม|ตอบรับ|ดูคำเชิญ|ร่วม',
    temporary: 'ชั่วคราว|เริ่มต้น|ใช้ครั้งเดียว',
    enter: 'กรอก|ป้อน|ใส่|ใช้|ระบุ|พิมพ์|คัดลอก|วาง|กด|ด้วยตนเอง|ด้วยตัวเอง|หรือกรอก|วาง|ดำเนินการต่อ',
    alert: 'เข้าสู่ระบบใหม่|อุปกรณ์ใหม่|ถูกเปลี่ยน|เปลี่ยนรหัสผ่าน(?:ของคุณ)?(?:แล้ว|สำเร็จ|เรียบร้อย)|ผิดปกติ|น่าสงสัย',
    yes: 'ใช่|เป็นฉันเอง|อนุมัติ|ตกลง|ใช่(?: |$)|ยืนยันว่าเป็นฉัน|อนุญาต|สมัคร|ใช่$|ต้องการ|ถูกต้อง|อีเมลของฉัน|ต้องการรับ|ตอบรับ|ยอมรับ',
    trade:
      'คะแนน|รางวัล|นัด|ประชุม|ส่วนลด|โปรโมชั่น|คูปอง|ของขวัญ|คำสั่งซื้อ|ออเดอร์|ใบแจ้งหนี้|ใบเสร็จ|การจอง|ตั๋ว|พัสดุ|ติดตาม|จัดส่ง|รับสินค้า|รับพัสดุ|ไรเดอร์|นัดหมาย|ร้องเรียน|คิว|ชิงโชค|wifi|แบบสอบถาม|คืนเงิน|คืนสินค้า|ไลเซนส์|รหัสสำรอง|ล็อกเกอร์|ใบสั่งยา|ตะกร้า|ใบเสนอราคา|กรมธรรม์',
    other:
      'ทีม|ตัวอย่าง|ผู้เข้าร่วม|คอร์ส|ชั้นเรียน|ศุลกากร|ไปรษณีย์|ประเทศ|คิวอาร์|qr|บาร์โค้ด|ข้อผิดพลาด|ลูกค้า|สมาชิก|เลขที่บัญชี|บัญชีเลขที่|อ้างอิง|โทร|แฟกซ์|บัตร|ลงท้าย|ผู้เสียภาษี|เวอร์ชัน|ธุรกรรม|ชำระ|หมายเลข|เลขที่|ต่อ|กรมธรรม์|มิเตอร์|นักศึกษา|ประกันสังคม|เลขท้าย|ฝ่ายสนับสนุน|ศูนย์บริการ',
    notMe: 'ไม่ใช่คุณ|ไม่ได้(?:ทำ|เปลี่ยน|ดำเนินการ)|ปกป้องบัญชี|ไม่ใช่ฉัน|บล็อก|ปฏิเสธ|ยกเลิกการเปลี่ยน',
    quiet:
      'ยกเลิกการสมัคร|ยกเลิกการรับ|การตั้งค่า|ความเป็นส่วนตัว|ข้อกำหนด|เงื่อนไข|ช่วยเหลือ|ติดต่อ|เบราว์เซอร์|เรียนรู้|อ่าน|ดาวน์โหลด|ร้านค้า|รายงาน|รีวิว',
    unit: 'นาที|ชั่วโมง|วัน|สัปดาห์|เดือน|ปี|วินาที|คะแนน|แต้ม|ชิ้น|บาท|คน|เปอร์เซ็นต์|กม',
    care: 'อย่า(?:เปิดเผย|แชร์|บอก|ให้)|ห้าม(?:เปิดเผย|แชร์|บอก)|ผู้อื่น|ใช้ได้ภายใน|หมดอายุ|มีอายุ|เพิกเฉย|ละเว้น|ไม่ได้(?:ร้องขอ|ขอ)|กรอก|ป้อน|ใช้รหัส',
  },
  my: {
    go: 'ဆက်လုပ်|ဆက်သွား|ရှေ့ဆက်|ဖွင့်ပါ|စတင်|နှိပ်|ဒီမှာ|သွားရန်',
    user: 'အသုံးပြုသူအမည်|အသုံးပြုသူ',
    promo: 'လျှော့စျေး|လျှော့ဈေး|ပရိုမို|ကူပွန်|လက်ဆောင်|သူငယ်ချင်း|အမှတ်|ဆုလာဘ်|ဘောနပ်စ်',
    meeting: 'အစည်းအဝေး|ဗီဒီယိုခေါ်|အင်တာဗျူး',
    place: 'တံခါး|ဝိုင်ဖိုင်|wi-?fi|သော့|ကားပါကင်|အခန်း',
    pickup: 'လာယူ|ပါဆယ်|ပို့ဆောင်|ပို့ပေး|ယာဉ်မောင်း|အော်ဒါနံပါတ်|အထုပ်|ယာဉ်မောင်း|ကောင်တာ',
    visit: 'ရက်ချိန်း|ဘွတ်ကင်|လက်မှတ်|တိုကင်|ထိုင်ခုံ|ကြိုတင်စာရင်း|တန်းစီ|ချိန်းဆို|တိုင်ကြား',
    done: 'ပြီးပါပြီ|အောင်မြင်|ပြီးစီး|ပြောင်းလဲပြီး',
    news: 'သတင်းလွှာ|စာရင်းသွင်း',
    code: 'အတည်ပြုကုဒ်|အတည်ပြု ကုဒ်|otp|လုံခြုံရေးကုဒ်|လုံခြုံရေး ကုဒ်|တစ်ခါသုံး စကားဝှက်|တစ်ခါသုံးစကားဝှက်|ကုဒ်|ကုဒ်နံပါတ်|အိုတီပီ|အတည်ပြုနံပါတ်|လျှို့ဝှက်ကုဒ်|လျှို့ဝှက်နံပါတ်|တစ်ခါသုံးကုဒ်|ဝင်ရောက်ကုဒ်|ယာယီစကားဝှက်|pin|ဂဏန်း|လျှို့ဝှက်နံပါတ်|ယာယီ(?:စကားဝှက်| စကားဝှက်|ကုဒ်)|တစ်ခါသုံး|ပထမဆုံးစကားဝှက်|လုံခြုံရေးနံပါတ်|တစ်ကြိမ်သုံး စကားဝှက်|ပင်နံပါတ်',
    verify: 'အတည်ပြု|စိစစ်|အသက်သွင်း|ဖွင့်ရန်|အတည်|ဖွင့်ပါ|စာရင်းသွင်းမှု|သေချာစေရန်|သင်ဖြစ်ကြောင်း|ပြီးဆုံး|ခွင့်ပြု|အသက်သွင်း|ဖွင့်သုံး',
    login: 'ဝင်ရောက်|အကောင့်ဝင်|လော့ဂ်အင်|လုံခြုံရေး|တစ်ခါသုံး|စာရင်းသွင်း|မှတ်ပုံတင်|စက်အသစ်|အကောင့်|ဝင်ရန်|လုံခြုံ|ကိုယ်ပိုင်',
    password: 'စကားဝှက်',
    join: 'ဖိတ်ကြားချက်ကို လက်ခံ|ပူးပေါင်း|ဖိတ်ကြား|ပါဝင်',
    temporary: 'ယာယီ|ကနဦး|တစ်ခါသုံး',
    enter: 'ထည့်|ရိုက်|အသုံးပြု|ဖြည့်|ကိုယ်တိုင်|ထည့်သွင်း|ရိုက်ထည့်|ကူးထည့်|ရိုက်ထည့်|ဖြည့်|နှိပ်|သုံးပါ',
    alert: 'အသစ်မှ ဝင်|စက်အသစ်|စက်ပစ္စည်းအသစ်|ပြောင်းလဲပြီး|ပြောင်းပြီး|ပြောင်းလဲခဲ့',
    yes: 'ဟုတ်|ကျွန်ုပ်ပါ|အတည်ပြု|ဟုတ်ကဲ့|သဘောတူ|ကျွန်တော်ပါ|ကျွန်မပါ|ကျွန်ုပ်၏|ရယူလို|လက်ခံ',
    trade:
      'ရက်ချိန်း|တိုကင်|လူနာ|အစည်းအဝေး|လျှော့စျေး|လျှော့ဈေး|ပရိုမို|ကူပွန်|လက်ဆောင်|အော်ဒါ|မှာယူ|ပြေစာ|ငွေတောင်းခံ|ဘွတ်ကင်|လက်မှတ်|ပို့ဆောင်|ပါဆယ်|ခြေရာခံ|လာယူ|ချိန်းဆို|တိုင်ကြား|ဝိုင်ဖိုင်',
    other: 'စာတိုက်|qr|အမှား|ဖောက်သည်|ဖုန်း|ဆက်သွယ်|ကတ်|ငွေလွှဲ|ဗားရှင်း|ငွေပေးချေ|အမှတ်စဉ်',
    notMe: 'သင်မဟုတ်|သင် မဟုတ်|သင်မလုပ်|သင် မပြုလုပ်|သင်မပြုလုပ်',
    quiet: 'စာရင်းမှ နုတ်|စာရင်းမှနုတ်|ရပ်ဆိုင်း|ကိုယ်ရေးအချက်|စည်းကမ်း|အကူအညီ|ဆက်သွယ်ရန်|ဘရောက်ဇာ|ပိုမိုလေ့လာ|ဖတ်ရှု|ဒေါင်းလုဒ်|ဆိုင်|တိုင်ကြား|ဆက်တင်',
    unit: 'မိနစ်|နာရီ|ရက်|ပတ်|လ|နှစ်|စက္ကန့်|မှတ်|ခု|ကျပ်|ဦး|ရာခိုင်နှုန်း',
    care: 'မမျှဝေ|မည်သူ|သက်တမ်း|ကုန်ဆုံး|လျစ်လျူရှု|ရိုက်ထည့်|ထည့်သွင်း|မတောင်းဆို|မပြောပါနှင့်|မပေးပါနှင့်|မမျှဝေပါ|မိနစ်အတွင်း|လျှို့ဝှက်',
  },
  kh: {
    go: 'បន្ត|បន្ទាប់|បើក|ចាប់ផ្តើម|ចុច|ទីនេះ|ទៅកាន់',
    user: 'ឈ្មោះអ្នកប្រើ|អ្នកប្រើ',
    promo: 'បញ្ចុះតម្លៃ|ប្រូម៉ូ|គូប៉ុង|កាដូ|មិត្តភក្តិ|ពិន្ទុ|រង្វាន់|ប្រាក់បន្ថែម|អញ្ជើញមិត្ត|បញ្ចុះ',
    meeting: 'ប្រជុំ|វីដេអូ|សម្ភាសន៍',
    place: 'ទ្វារ|វ៉ាយហ្វាយ|wi-?fi|សោ|ចំណត|បន្ទប់',
    pickup: 'យកទំនិញ|មកយក|កញ្ចប់|អីវ៉ាន់|ដឹកជញ្ជូន|អ្នកដឹក|លេខបញ្ជាទិញ|ឥវ៉ាន់|អ្នកបើកបរ|បញ្ជរ|កញ្ចប់',
    visit: 'ណាត់|កក់|សំបុត្រ|ជួរ|កៅអី|ជួរ|ពាក្យបណ្តឹង',
    done: 'ដោយជោគជ័យ|រួចរាល់|ត្រូវបានបញ្ជាក់|បានសម្រេច|ត្រូវបានប្តូរ',
    news: 'ព្រឹត្តិបត្រ|ជាវ',
    code: 'លេខកូដផ្ទៀងផ្ទាត់|កូដផ្ទៀងផ្ទាត់|លេខកូដ|កូដ|otp|លេខសម្ងាត់ប្រើតែម្តង|ពាក្យសម្ងាត់ប្រើតែម្តង|អូធីភី|លេខសម្ងាត់|លេខផ្ទៀងផ្ទាត់|លេខបញ្ជាក់|ពាក្យសម្ងាត់បណ្តោះអាសន្ន|លេខកូដសម្ងាត់|pin|លេខខាងក្រោម|លេខទាំងនេះ|លេខសម្ងាត់|លេខកូដ|ពាក្យសម្ងាត់(?:ប្រើម្តង|បណ្តោះអាសន្ន|ដំបូង)|កូដសម្ងាត់|ឃ្លា|លេខភីន|លេខប៉ាស',
    verify: 'ផ្ទៀងផ្ទាត់|បញ្ជាក់|ធ្វើឱ្យសកម្ម|បើកដំណើរការ|បើកគណនី|អះអាង|ពិនិត្យ|អនុម័ត|ធានាថា|ថាជាអ្នក|បញ្ចប់|អនុញ្ញាត|អនុម័ត|ផ្ទៀងផ្ទាត់',
    login: 'ចូលគណនី|ចូលប្រើ|ចូល|សុវត្ថិភាព|អត្តសញ្ញាណ|ប្រើតែម្តង|ចុះឈ្មោះ|ឧបករណ៍|គណនី|ចូលក្នុង',
    password: 'ពាក្យសម្ងាត់',
    join: 'ទទួលយកការអញ្ជើញ|ចូលរួម|អញ្ជើញ',
    temporary: 'បណ្តោះអាសន្ន|បណ្ដោះអាសន្ន|ដំបូង|ប្រើម្តង',
    enter: 'បញ្ចូល|ប្រើ|វាយ|វាយបញ្ចូល|ដោយដៃ|ឬ|បិទភ្ជាប់|វាយ|បំពេញ|ចម្លង|ចុច|ដាក់',
    alert: 'ឧបករណ៍ថ្មី|ចូលថ្មី|ត្រូវបានប្តូរ|ត្រូវបានផ្លាស់ប្តូរ|ត្រូវបានកែ|មិនធម្មតា',
    yes: 'បាទ|យល់ព្រម|អនុម័ត|បញ្ជាក់|គឺខ្ញុំ|យល់ស្រប|ចង់|បាទ/ចាស|អ៊ីមែលរបស់ខ្ញុំ|ខ្ញុំចង់|ទទួលយក',
    trade: 'ប្រជុំ|បញ្ចុះតម្លៃ|ប្រូម៉ូ|គូប៉ុង|កាដូ|ការបញ្ជាទិញ|បញ្ជាទិញ|វិក្កយបត្រ|បង្កាន់ដៃ|កក់|សំបុត្រ|ដឹកជញ្ជូន|កញ្ចប់|តាមដាន|យកទំនិញ|ដឹក|ណាត់|បណ្តឹង|វ៉ាយហ្វាយ',
    other: 'ប្រៃសណីយ៍|qr|កំហុស|អតិថិជន|គណនីលេខ|ទូរស័ព្ទ|ទូរសព្ទ|ហៅ|កាត|ប្រតិបត្តិការ|ទូទាត់|កំណែ|យោង',
    notMe: 'មិនមែនជាអ្នក|មិនមែនអ្នក|មិនបានធ្វើ',
    quiet: 'ឈប់ជាវ|ចំណូលចិត្ត|ឯកជនភាព|លក្ខខណ្ឌ|ជំនួយ|ទំនាក់ទំនង|កម្មវិធីរុករក|ស្វែងយល់|អាន|ទាញយក|ហាង|រាយការណ៍|ការកំណត់',
    unit: 'នាទី|ម៉ោង|ថ្ងៃ|សប្តាហ៍|ខែ|ឆ្នាំ|វិនាទី|ពិន្ទុ|ដុំ|រៀល|ដុល្លារ|នាក់|ភាគរយ',
    care: 'កុំ(?:ចែក|ប្រាប់|ផ្ដល់|ផ្តល់)|នរណា|សុពលភាព|ផុតកំណត់|មិនអើពើ|មិនបានស្នើ|បញ្ចូល|កុំប្រាប់|សម្ងាត់|នាទី',
  },
}
