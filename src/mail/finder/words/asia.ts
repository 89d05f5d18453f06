import type { LanguageWords } from './language.ts'

/** The languages of eastern and south-eastern Asia. */
export const ASIA: Record<string, LanguageWords> = {
  zh: {
    code: '验证码|校验码|动态码|动态密码|一次性密码|安全码|登录码|确认码|激活码|口令|临时密码|动态口令|短信码|一次性(?:验证)?码|初始密码|登录密码为|随机码|授权码|安全验证码|口令码|识别码|提取密码',
    verify:
      '验证|激活|确认(?:您的|你的)?(?:邮箱|邮件|电子邮件|注册|账号|帐号|账户)|校验|完成注册|认证|核实|核验|绑定|开通|授权|完成(?:账号|帐号|订阅)',
    login: '登录|登陆|安全|身份|一次性|注册|访问|设备|登入|绑定|授权|会话|配对',
    password: '密码',
    join: '接受邀请|加入团队|接受|查看邀请|立即加入|同意加入|加入(?:企业|群|组织|项目)',
    temporary: '初始|临时|一次性|默认',
    enter: '输入|填写|使用|填入|回填|键入|填|回复|复制|粘贴',
    alert: '新设备|异地|新的登录|已(?:被)?(?:修改|更改|重置|变更|更新)|修改成功|异常|可疑',
    yes: '确认订阅|确定订阅|是我|是本人|同意|确认|是的|确认是我|允许|授权|好的|订阅',
    accept: '接受',
    trade:
      '问卷调查|好友|邀请码|取票|检票|购票|座位|积分|抽奖|奖励|挂号|会议|优惠|折扣|促销|礼品|红包|代金券|兑换|订单|发票|收据|预订|预约|工单|案件|快递|物流|运单|单号|包裹|取件|取餐|取货|提货|配送|骑手|投诉|排队|叫号|wifi|房门|问卷|调查|退款|退货|授权文件|备用码|恢复码|储物柜|处方|购物车|账单|保单|报价|排号|激活密钥|序列号|许可证',
    other:
      '准考证|门禁|开门|工号|学号|序号|邮编|邮政编码|区号|二维码|条形码|错误|客户|会员号|账号|卡号|尾号|编号|流水|电话|热线|客服|传真|备案|版本|交易|付款|航班|金额|分机|邮箱号|保单|学籍|电表|身份证|车牌|工单',
    notMe: '不是您|不是你|非本人|并非本人|未进行|保护(?:您的|你的)?账|不是我|冻结|拒绝|撤销',
    quiet: '退订|取消订阅|偏好|隐私|条款|协议|帮助|客服|联系我们|浏览器|了解更多|阅读|下载|商店|商城|举报|设置|评价',
    unit: '分钟|小时|天|周|个月|年|秒|分|元|积分|件|个|人|次|公里|张',
    care: '请勿(?:泄露|告知|转发|向|将)|切勿|勿泄|有效|过期|失效|忽略|非本人|输入|请使用|不要告诉',
  },
  'zh-TW': {
    code: '驗證碼|校驗碼|動態碼|動態密碼|一次性密碼|安全碼|登入碼|確認碼|認證碼|啟用碼|臨時密碼',
    verify: '驗證|啟用|確認(?:您的|你的)?(?:信箱|電子郵件|註冊|帳號|帳戶)|校驗|完成註冊|認證|開通',
    login: '登入|安全|身分|身份|一次性|註冊|存取|裝置',
    password: '密碼',
    join: '接受邀請|加入團隊',
    temporary: '初始|臨時|一次性|預設|暫時',
    enter: '輸入|填寫|使用|填入',
    alert: '新裝置|異地|新的登入|已(?:被)?(?:修改|變更|更改|重設|更新)|異常|可疑',
    yes: '確認訂閱|是我|是本人|同意|確認',
    accept: '接受',
    trade:
      '好友|邀請碼|取票|驗票|訂位|座位|點數|抽獎|取貨|掛號|會議|優惠|折扣|促銷|禮品|紅包|折價券|兌換|訂單|發票|收據|預訂|預約|案件|快遞|物流|貨運|單號|包裹|取件|提貨|配送|外送|投訴|排隊|叫號|wifi|房門|領取',
    other:
      '門禁|開門|工號|學號|序號|郵遞區號|區碼|條碼|錯誤|客戶|會員編號|帳號末|卡號|末四碼|編號|電話|專線|客服|傳真|統一編號|統編|版本|交易|付款|航班|金額',
    notMe: '不是您|不是你|非本人|並非本人|未進行|保護(?:您的|你的)?帳',
    quiet:
      '退訂|取消訂閱|偏好|隱私|條款|協議|說明|幫助|聯絡我們|瀏覽器|瞭解更多|了解更多|閱讀|下載|商店|商城|檢舉|設定|評價',
    unit: '分鐘|小時|天|週|個月|年|秒|分|元|點|件|個|人|次|公里|張',
    care: '請勿(?:洩漏|洩露|告知|轉寄|向|將)|切勿|有效|過期|失效|逾期|忽略|非本人|輸入|請使用|不要告訴',
  },
  ja: {
    code: '認証コード|確認コード|ワンタイムパスワード|ワンタイムコード|セキュリティコード|ログインコード|認証番号|確認番号|暗証番号|コード|パスコード|仮パスワード|検証コード|認証キー|ワンタイムキー|認証用(?:コード|番号|数字)|確認用(?:コード|番号)|初期パスワード|数字|pin|承認番号|照合番号|合言葉|キー',
    verify:
      '認証|(?:アドレス|メール|登録|アカウント|本人)(?:の|を)?(?:ご)?確認|確認(?:コード|番号|メール|リンク|用|を?完了)|有効化|アクティベ|検証|本登録|登録(?:を)?完了|承認|確認手続|手続き?を?完了|登録確認|本人確認|有効に',
    login:
      'ログイン|サインイン|セキュリティ|アクセス|本人|ワンタイム|登録|二段階|2段階|デバイス|ログオン|サインオン|セッション|ペアリング|連携',
    password: 'パスワード',
    join: '招待を承|参加する|招待を(?:受け|見る|確認)|参加',
    temporary: '仮|初期|一時|ワンタイム',
    enter: '入力|ご使用|お使い|使って|ご入力|打ち込|コピー|貼り付け|記入|伝え',
    alert:
      '新しい(?:デバイス|端末|環境|場所)?(?:から|での)?の?(?:ログイン|サインイン)|新しい端末|変更(?:され|し)(?:まし|てい)|変更完了|変更のお知らせ|不審|通常と異なる',
    yes: 'はい|私です|確認する|確定する|購読|登録する|承認|はい(?:、|。|$)|許可|私が|承認する|登録を確認',
    accept: '受ける|承諾|参加',
    trade:
      '友達|お友だち|紹介|ポイント|当選|特典|会議|ミーティング|クーポン|割引|プロモ|キャンペーン|ギフト|注文|請求|領収|予約|お問い合わせ番号|問合せ番号|受付番号|追跡|伝票|荷物|配送|受取|受け取り|配達|宅配|診察|苦情|抽選|wi-fi|お届け|整理券|アンケート|返金|返品|ライセンス|バックアップコード|リカバリ|ロッカー|処方|カート|明細|見積|保険|ご契約|予備コード|お支払い番号|払込|コンビニ',
    other:
      '受験番号|玄関|オートロック|宅配ボックス|郵便|市外|国番号|qr|バーコード|エラー|お客様番号|会員番号|顧客|口座|カード|下4桁|末尾|電話|tel|fax|バージョン|取引|決済|便名|整理番号|商品|型番|内線|私書箱|証券番号|契約番号|学籍|社員|マイナンバー|型式',
    notMe:
      '心当たり(?:が|の)な|覚えが(?:ない|ありません)|ご本人でない|アカウントを保護|私では|自分では|拒否|ブロック|取り消',
    quiet:
      '配信停止|購読解除|登録解除|退会|プライバシー|利用規約|規約|ヘルプ|サポート|お問い合わせ|ブラウザ|詳しく|続きを読む|ダウンロード|ストア|ショップ|報告|設定|レビュー',
    unit: '分|時間|日|週間|か月|ヶ月|年|秒|円|ポイント|個|点|件|名|人|回|km|枚',
    care: '教えない|共有しない|他人に|第三者|有効(?:期限|です)|分間有効|無効|破棄|無視|心当たり|入力',
  },
  ko: {
    code: '인증번호|인증 번호|인증코드|인증 코드|확인코드|확인 코드|보안코드|보안 코드|일회용 비밀번호|일회용 코드|otp|로그인 코드|임시 비밀번호|임시비밀번호|코드|인증 ?숫자|확인 ?번호|일회용 ?번호|초기 비밀번호|보안번호|승인 ?번호|접속 ?코드|숫자',
    verify:
      '인증|(?:이메일|메일|주소|계정|본인)(?:을|를)? ?확인|활성화|가입 완료|가입을 완료|승인|이메일 확인|메일 확인|계정 확인|인증 ?완료|본인 확인|구독 확인|완료',
    login: '로그인|보안|접속|본인|일회용|회원가입|가입|액세스|기기|신원|세션|연결|계정',
    password: '비밀번호',
    join: '초대 수락|초대를 수락|참여하기|수락|초대장|함께하기|합류',
    temporary: '임시|초기|일회용',
    enter: '입력|사용하|기입|기재|복사|붙여|적어|눌러|작성',
    alert:
      '새로운? ?(?:기기|로그인|환경)|새 기기|변경되었|변경됐|변경되었습니다|재설정되었|비정상|의심스러운|로그인되었',
    yes: '확정|확인하기|네,|본인입니다|본인이|승인|구독|예(?:,|$)|맞습니다|허용|동의|제가 했',
    accept: '수락|참여',
    trade:
      '친구|추천|포인트|당첨|회의|미팅|할인|쿠폰|프로모|이벤트|선물|주문|영수|청구|예약|접수|문의|송장|운송장|배송|택배|픽업|수령|배달|진료|민원|추첨|와이파이|예매|보관함|설문|퀴즈|환불|반품|라이선스|백업 코드|복구 코드|사물함|처방|장바구니|명세|견적|보험|대기|쿠폰번호',
    other:
      '수험번호|현관|출입문|우편번호|지역|국가|qr|바코드|오류|고객번호|고객|회원번호|계좌|카드|끝자리|전화|대표번호|팩스|사업자|통신판매|버전|거래|결제|항공|상품|픽업|내선|사서함|증권|학번|사번|계약',
    notMe:
      '본인이 (?:아니|아닌)|직접 (?:하지|변경하지|요청하지 않)|계정 보호|계정을 보호|제가 아닙|내가 아|차단|거부|취소',
    quiet:
      '수신거부|수신 거부|구독 취소|구독취소|개인정보|이용약관|약관|고객센터|도움말|문의하기|브라우저|자세히|더 보기|다운로드|스토어|쇼핑|신고|설정|리뷰',
    unit: '분|시간|일|주|개월|년|초|원|포인트|개|점|건|명|회|km|장|달러',
    care: '공유하지|알려주지|타인에게|유효|만료|무시|요청하지 않|본인이 요청|입력',
  },
  id: {
    code: 'kode|otp|pin|kata sandi sekali pakai|kata sandi sementara|sandi sementara|kode (?:verifikasi|otp|masuk|akses|keamanan|aktivasi|sekali pakai)|kata sandi awal|angka',
    verify:
      'verifikasi|konfirmasi|aktivasi|aktifkan|validasi|autentikasi|selesaikan pendaftaran|selesaikan|setujui|berlangganan',
    login:
      'masuk|login|log masuk|keamanan|akses|identitas|sekali pakai|daftar|perangkat|otentikasi|sesi|pasangkan|akun',
    password: 'kata sandi|sandi|password',
    join: 'terima undangan|gabung|terima|lihat undangan|ikut|bergabung',
    temporary: 'sementara|awal|sekali pakai',
    enter: 'masukkan|gunakan|ketik|isi(?:kan)?|input|salin|tempel|ketikkan',
    alert:
      'login baru|masuk baru|perangkat baru|(?:telah|berhasil|baru saja) (?:diubah|diganti|diperbarui|disetel)|tidak biasa|mencurigakan',
    yes: 'ya,|ini saya|setujui|ya(?: |!|$)|saya setuju|izinkan|benar',
    accept: 'terima',
    trade:
      'kuesioner|teman|rapat|diskon|promo|kupon|voucher|hadiah|penawaran|pesanan|order|tagihan|faktur|struk|booking|pemesanan|reservasi|tiket|resi|pengiriman|paket|pengambilan|ambil pesanan|kurir|janji temu|keluhan|pengaduan|antrean|undian|wifi|survei|kuis|pengembalian|lisensi|kode cadangan|loker|resep|keranjang|rekening koran|polis|ojek|driver|langganan',
    other:
      'pelamar|pos|negara|area|qr|batang|kesalahan|pelanggan|rekening|referensi|telepon|telp|hubungi|faks|kartu|berakhiran|npwp|versi|transaksi|pembayaran|nomor|ekstensi|polis|meteran|nik|nim|ktp',
    notMe: 'bukan (?:anda|kamu)|tidak (?:melakukan|mengubah)|amankan akun|bukan saya|blokir|tolak|batalkan',
    quiet:
      'berhenti berlangganan|preferensi|privasi|ketentuan|syarat|bantuan|dukungan|hubungi kami|peramban|browser|selengkapnya|baca|unduh|toko|lapor|pengaturan|ulasan',
    unit: 'menit|jam|hari|minggu|bulan|tahun|detik|poin|buah|barang|rupiah|orang|persen|km',
    care: 'jangan (?:bagikan|berikan|beri|sebar)|siapa ?pun|berlaku|kedaluwarsa|kadaluarsa|abaikan|tidak (?:meminta|merasa)|masukkan|gunakan',
  },
  ms: {
    code: 'kod|otp|tac|pin|kata laluan sekali guna|kata laluan sementara|kod (?:pengesahan|tac|otp|log masuk)|kata laluan awal|angka',
    verify:
      'pengesahan|sahkan|mengesahkan|aktif|pengaktifan|tentusah|lengkapkan pendaftaran|lengkapkan|luluskan|langganan',
    login: 'log masuk|keselamatan|akses|identiti|sekali guna|daftar|pendaftaran|peranti|sesi|akaun|pasangkan',
    password: 'kata laluan',
    join: 'terima jemputan|sertai|terima|lihat jemputan|turut serta',
    temporary: 'sementara|awal|sekali guna',
    enter: 'masukkan|gunakan|taip|isi|salin|tampal|taipkan',
    alert:
      'log masuk baharu|log masuk baru|peranti baharu|peranti baru|telah (?:ditukar|diubah|dikemas|ditetapkan)|luar biasa|mencurigakan',
    yes: 'ya,|itu saya|luluskan|sahkan|ya(?: |!|$)|saya sahkan|benarkan|setuju',
    accept: 'terima',
    trade:
      'mesyuarat|diskaun|promosi|kupon|baucar|hadiah|tawaran|pesanan|invois|resit|tempahan|tiket|penjejakan|penghantaran|bungkusan|pengambilan|kurier|temujanji|aduan|giliran|cabutan|wifi|tinjauan|pertandingan|bayaran balik|pulangan|lesen|kod sandaran|loker|preskripsi|troli|penyata|sebut harga|polisi',
    other:
      'pos|poskod|negara|kawasan|qr|bar|ralat|pelanggan|akaun bank|rujukan|telefon|tel|hubungi|faks|kad|berakhir|versi|transaksi|pembayaran|nombor|sambungan|polisi|meter|kad pengenalan|pelajar',
    notMe: 'bukan anda|tidak (?:membuat|melakukan)|lindungi akaun|bukan saya|sekat|tolak|batalkan',
    quiet:
      'berhenti melanggan|keutamaan|privasi|terma|syarat|bantuan|sokongan|hubungi kami|pelayar|ketahui|baca|muat turun|kedai|lapor|tetapan|ulasan',
    unit: 'minit|jam|hari|minggu|bulan|tahun|saat|mata|unit|barang|ringgit|orang|peratus|km',
    care: 'jangan (?:kongsi|dedah|beri)|sesiapa|sah (?:selama|untuk)|tamat tempoh|abaikan|tidak (?:meminta|membuat)|masukkan|gunakan',
  },
  vi: {
    code: 'mã xác (?:minh|nhận|thực)|mã otp|otp|mã đăng nhập|mã bảo mật|mã kích hoạt|mật khẩu (?:dùng một lần|tạm thời)|mã pin|mã|ma (?:xac|otp|dang|bao|kich|pin)|mã số|mật khẩu (?:ban đầu|khởi tạo|một lần)|dãy số|ma nay la',
    verify: 'xác minh|xác nhận|xác thực|kích hoạt|hoàn tất đăng ký|xac (?:minh|thuc|nhan)|kich hoat|hoàn tất|phê duyệt',
    login: 'đăng nhập|bảo mật|truy cập|danh tính|một lần|đăng ký|thiết bị|an toàn|dang nhap|phiên|ghép nối|tài khoản',
    password: 'mật khẩu',
    join: 'chấp nhận lời mời|tham gia|chấp nhận|xem lời mời',
    temporary: 'tạm thời|tạm|ban đầu|một lần|khởi tạo',
    enter: 'nhập|sử dụng|dùng|điền|nhap|gõ|sao chép|dán|ghi',
    alert: 'đăng nhập mới|thiết bị mới|(?:đã|vừa) (?:được )?(?:thay đổi|đổi|cập nhật|đặt lại)|bất thường|đáng ngờ',
    yes: 'đồng ý|có,|đúng là tôi|là tôi|có(?: |!|$)|tôi đồng ý|cho phép|chính tôi',
    accept: 'chấp nhận',
    trade:
      'bạn bè|giới thiệu|thưởng|lịch hẹn|đặt lịch|lịch khám|cuộc họp|giảm giá|khuyến m|ưu đãi|voucher|quà|đơn hàng|đặt hàng|hóa đơn|biên lai|đặt chỗ|đặt phòng|vé|yêu cầu số|vận đơn|theo dõi|giao hàng|bưu kiện|nhận hàng|giao nhận|shipper|cuộc hẹn|khiếu nại|số thứ tự|quay số|wifi|khảo sát|cuộc thi|hoàn tiền|trả hàng|bản quyền|mã dự phòng|tủ|đơn thuốc|giỏ hàng|sao kê|báo giá|bảo hiểm|rút thăm',
    other:
      'ứng viên|thí sinh|bưu chính|vùng|quốc gia|qr|vạch|lỗi|khách hàng|thành viên|tài khoản số|số tài khoản|tham chiếu|điện thoại|đt|gọi|hotline|fax|thẻ|đuôi|số thuế|thuế|phiên bản|giao dịch|thanh toán|máy lẻ|hợp đồng|bảo hiểm|công tơ|cccd|sinh viên',
    notMe: 'không phải (?:là )?bạn|không thực hiện|bảo vệ tài khoản|không phải tôi|khóa|từ chối|hủy thay đổi',
    quiet:
      'hủy đăng ký|bỏ đăng ký|tùy chọn|quyền riêng tư|bảo mật thông tin|điều khoản|trợ giúp|hỗ trợ|liên hệ|trình duyệt|tìm hiểu|đọc|tải|cửa hàng|báo cáo|cài đặt|đánh giá',
    unit: 'phút|giờ|ngày|tuần|tháng|năm|giây|điểm|cái|chiếc|sản phẩm|đồng|vnd|đ|người|phần trăm|km',
    care: 'không (?:chia sẻ|cung cấp|tiết lộ)|bất kỳ ai|với ai|hiệu lực|hết hạn|bỏ qua|không yêu cầu|nhập|khong chia se|khong cung cap|het han|hieu luc',
  },
  th: {
    code: 'รหัสยืนยัน|รหัสผ่านชั่วคราว|รหัสผ่านแบบใช้ครั้งเดียว|รหัส otp|otp|รหัสความปลอดภัย|รหัสเข้าสู่ระบบ|รหัส|รหัสที่ใช้ครั้งเดียว|รหัสชั่วคราว|โค้ด|ตัวเลข|pin',
    verify: 'ยืนยัน|เปิดใช้งาน|ตรวจสอบสิทธิ์|สมัครให้เสร็จ|เสร็จสิ้นการสมัคร|เปิดใช้|อนุมัติ|สมัครรับ',
    login: 'เข้าสู่ระบบ|ลงชื่อเข้า|ความปลอดภัย|เข้าถึง|ตัวตน|ครั้งเดียว|ลงทะเบียน|สมัคร|อุปกรณ์|เข้าแอป|ล็อกอิน|เซสชัน|จับคู่|บัญชี',
    password: 'รหัสผ่าน',
    join: 'ยอมรับคำเชิญ|เข้าร่วม|ตอบรับ|ดูคำเชิญ|ร่วม',
    temporary: 'ชั่วคราว|เริ่มต้น|ใช้ครั้งเดียว',
    enter: 'กรอก|ป้อน|ใส่|ใช้|ระบุ|พิมพ์|คัดลอก|วาง|กด',
    alert: 'เข้าสู่ระบบใหม่|อุปกรณ์ใหม่|ถูกเปลี่ยน|เปลี่ยนรหัสผ่าน(?:ของคุณ)?(?:แล้ว|สำเร็จ|เรียบร้อย)|ผิดปกติ|น่าสงสัย',
    yes: 'ใช่|เป็นฉันเอง|อนุมัติ|ตกลง|ใช่(?: |$)|ยืนยันว่าเป็นฉัน|อนุญาต|สมัคร',
    accept: 'ตอบรับ|ยอมรับ',
    trade:
      'คะแนน|รางวัล|นัด|ประชุม|ส่วนลด|โปรโมชั่น|คูปอง|ของขวัญ|คำสั่งซื้อ|ออเดอร์|ใบแจ้งหนี้|ใบเสร็จ|การจอง|ตั๋ว|พัสดุ|ติดตาม|จัดส่ง|รับสินค้า|รับพัสดุ|ไรเดอร์|นัดหมาย|ร้องเรียน|คิว|ชิงโชค|wifi|แบบสอบถาม|คืนเงิน|คืนสินค้า|ไลเซนส์|รหัสสำรอง|ล็อกเกอร์|ใบสั่งยา|ตะกร้า|ใบเสนอราคา|กรมธรรม์',
    other:
      'ไปรษณีย์|ประเทศ|คิวอาร์|qr|บาร์โค้ด|ข้อผิดพลาด|ลูกค้า|สมาชิก|เลขที่บัญชี|บัญชีเลขที่|อ้างอิง|โทร|แฟกซ์|บัตร|ลงท้าย|ผู้เสียภาษี|เวอร์ชัน|ธุรกรรม|ชำระ|หมายเลข|เลขที่|ต่อ|กรมธรรม์|มิเตอร์|นักศึกษา|ประกันสังคม',
    notMe: 'ไม่ใช่คุณ|ไม่ได้(?:ทำ|เปลี่ยน|ดำเนินการ)|ปกป้องบัญชี|ไม่ใช่ฉัน|บล็อก|ปฏิเสธ|ยกเลิกการเปลี่ยน',
    quiet:
      'ยกเลิกการสมัคร|ยกเลิกการรับ|การตั้งค่า|ความเป็นส่วนตัว|ข้อกำหนด|เงื่อนไข|ช่วยเหลือ|ติดต่อ|เบราว์เซอร์|เรียนรู้|อ่าน|ดาวน์โหลด|ร้านค้า|รายงาน|รีวิว',
    unit: 'นาที|ชั่วโมง|วัน|สัปดาห์|เดือน|ปี|วินาที|คะแนน|แต้ม|ชิ้น|บาท|คน|เปอร์เซ็นต์|กม',
    care: 'อย่า(?:เปิดเผย|แชร์|บอก|ให้)|ห้าม(?:เปิดเผย|แชร์|บอก)|ผู้อื่น|ใช้ได้ภายใน|หมดอายุ|มีอายุ|เพิกเฉย|ละเว้น|ไม่ได้(?:ร้องขอ|ขอ)|กรอก|ป้อน|ใช้รหัส',
  },
  my: {
    code: 'အတည်ပြုကုဒ်|အတည်ပြု ကုဒ်|otp|လုံခြုံရေးကုဒ်|လုံခြုံရေး ကုဒ်|တစ်ခါသုံး စကားဝှက်|တစ်ခါသုံးစကားဝှက်|ကုဒ်|ကုဒ်နံပါတ်',
    verify: 'အတည်ပြု|စိစစ်|အသက်သွင်း|ဖွင့်ရန်',
    login: 'ဝင်ရောက်|အကောင့်ဝင်|လော့ဂ်အင်|လုံခြုံရေး|တစ်ခါသုံး|စာရင်းသွင်း|မှတ်ပုံတင်|စက်အသစ်',
    password: 'စကားဝှက်',
    join: 'ဖိတ်ကြားချက်ကို လက်ခံ|ပူးပေါင်း',
    temporary: 'ယာယီ|ကနဦး|တစ်ခါသုံး',
    enter: 'ထည့်|ရိုက်|အသုံးပြု|ဖြည့်',
    alert: 'အသစ်မှ ဝင်|စက်အသစ်|စက်ပစ္စည်းအသစ်|ပြောင်းလဲပြီး|ပြောင်းပြီး|ပြောင်းလဲခဲ့',
    yes: 'ဟုတ်|ကျွန်ုပ်ပါ|အတည်ပြု',
    accept: 'လက်ခံ',
    trade:
      'ရက်ချိန်း|တိုကင်|လူနာ|အစည်းအဝေး|လျှော့စျေး|လျှော့ဈေး|ပရိုမို|ကူပွန်|လက်ဆောင်|အော်ဒါ|မှာယူ|ပြေစာ|ငွေတောင်းခံ|ဘွတ်ကင်|လက်မှတ်|ပို့ဆောင်|ပါဆယ်|ခြေရာခံ|လာယူ|ချိန်းဆို|တိုင်ကြား|ဝိုင်ဖိုင်',
    other: 'စာတိုက်|qr|အမှား|ဖောက်သည်|ဖုန်း|ဆက်သွယ်|ကတ်|ငွေလွှဲ|ဗားရှင်း|ငွေပေးချေ|အမှတ်စဉ်',
    notMe: 'သင်မဟုတ်|သင် မဟုတ်|သင်မလုပ်|သင် မပြုလုပ်|သင်မပြုလုပ်',
    quiet: 'စာရင်းမှ နုတ်|စာရင်းမှနုတ်|ရပ်ဆိုင်း|ကိုယ်ရေးအချက်|စည်းကမ်း|အကူအညီ|ဆက်သွယ်ရန်|ဘရောက်ဇာ|ပိုမိုလေ့လာ|ဖတ်ရှု|ဒေါင်းလုဒ်|ဆိုင်|တိုင်ကြား|ဆက်တင်',
    unit: 'မိနစ်|နာရီ|ရက်|ပတ်|လ|နှစ်|စက္ကန့်|မှတ်|ခု|ကျပ်|ဦး|ရာခိုင်နှုန်း',
    care: 'မမျှဝေ|မည်သူ|သက်တမ်း|ကုန်ဆုံး|လျစ်လျူရှု|ရိုက်ထည့်|ထည့်သွင်း|မတောင်းဆို',
  },
  kh: {
    code: 'លេខកូដផ្ទៀងផ្ទាត់|កូដផ្ទៀងផ្ទាត់|លេខកូដ|កូដ|otp|លេខសម្ងាត់ប្រើតែម្តង|ពាក្យសម្ងាត់ប្រើតែម្តង',
    verify: 'ផ្ទៀងផ្ទាត់|បញ្ជាក់|ធ្វើឱ្យសកម្ម|បើកដំណើរការ|បើកគណនី',
    login: 'ចូលគណនី|ចូលប្រើ|ចូល|សុវត្ថិភាព|អត្តសញ្ញាណ|ប្រើតែម្តង|ចុះឈ្មោះ|ឧបករណ៍',
    password: 'ពាក្យសម្ងាត់',
    join: 'ទទួលយកការអញ្ជើញ|ចូលរួម',
    temporary: 'បណ្តោះអាសន្ន|បណ្ដោះអាសន្ន|ដំបូង|ប្រើម្តង',
    enter: 'បញ្ចូល|ប្រើ|វាយ',
    alert: 'ឧបករណ៍ថ្មី|ចូលថ្មី|ត្រូវបានប្តូរ|ត្រូវបានផ្លាស់ប្តូរ|ត្រូវបានកែ|មិនធម្មតា',
    yes: 'បាទ|យល់ព្រម|អនុម័ត|បញ្ជាក់',
    accept: 'ទទួលយក',
    trade: 'ប្រជុំ|បញ្ចុះតម្លៃ|ប្រូម៉ូ|គូប៉ុង|កាដូ|ការបញ្ជាទិញ|បញ្ជាទិញ|វិក្កយបត្រ|បង្កាន់ដៃ|កក់|សំបុត្រ|ដឹកជញ្ជូន|កញ្ចប់|តាមដាន|យកទំនិញ|ដឹក|ណាត់|បណ្តឹង|វ៉ាយហ្វាយ',
    other: 'ប្រៃសណីយ៍|qr|កំហុស|អតិថិជន|គណនីលេខ|ទូរស័ព្ទ|ទូរសព្ទ|ហៅ|កាត|ប្រតិបត្តិការ|ទូទាត់|កំណែ|យោង',
    notMe: 'មិនមែនជាអ្នក|មិនមែនអ្នក|មិនបានធ្វើ',
    quiet: 'ឈប់ជាវ|ចំណូលចិត្ត|ឯកជនភាព|លក្ខខណ្ឌ|ជំនួយ|ទំនាក់ទំនង|កម្មវិធីរុករក|ស្វែងយល់|អាន|ទាញយក|ហាង|រាយការណ៍|ការកំណត់',
    unit: 'នាទី|ម៉ោង|ថ្ងៃ|សប្តាហ៍|ខែ|ឆ្នាំ|វិនាទី|ពិន្ទុ|ដុំ|រៀល|ដុល្លារ|នាក់|ភាគរយ',
    care: 'កុំ(?:ចែក|ប្រាប់|ផ្ដល់|ផ្តល់)|នរណា|សុពលភាព|ផុតកំណត់|មិនអើពើ|មិនបានស្នើ|បញ្ចូល',
  },
}
