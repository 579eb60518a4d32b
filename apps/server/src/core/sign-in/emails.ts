import type { EmailLanguage, EmailText } from '../define-job.ts'

type Texts = {
  code(site: string, code: string, minutes: number): EmailText
  /** Instead of a code, when the address belongs to an account. */
  addressInUse(site: string, url: string | undefined): EmailText
  reset(site: string, name: string, url: string, minutes: number): EmailText
  /** Instead of a link, when no account has the address. */
  noAccount(site: string): EmailText
  changed(site: string, name: string, change: CredentialChange, ip: string): EmailText
}

/** A change of credentials that the owner of an account is told about. */
export type CredentialChange =
  | 'password'
  | 'email'
  | 'username'
  | 'backup-codes'
  | 'second-factor-on'
  | 'second-factor-off'
  | 'access-token'
  | 'passkey-added'
  | 'passkey-removed'
  | 'account-removed'
  | 'identity-added'
  | 'identity-removed'
  | 'telegram-added'
  | 'telegram-removed'

const ignore: Record<EmailLanguage, string> = {
  zh_CN: '如果这不是您本人的操作，请忽略此邮件。',
  zh_HK: '如果這不是您本人的操作，請忽略此郵件。',
  en_US: 'If this was not you, ignore this message.',
  ja_JP: 'お心当たりがない場合は、このメールを無視してください。',
}

const changes: Record<EmailLanguage, Record<CredentialChange, string>> = {
  zh_CN: {
    password: '密码已更改',
    email: '邮箱已更改',
    username: '用户名已更改',
    'backup-codes': '已生成新的备用码',
    'second-factor-on': '两步验证已开启',
    'second-factor-off': '两步验证已关闭',
    'access-token': '已创建新的访问令牌',
    'passkey-added': '已添加通行密钥',
    'passkey-removed': '已删除通行密钥',
    'account-removed': '账户已删除',
    'identity-added': '已绑定第三方账户',
    'identity-removed': '已解除绑定第三方账户',
    'telegram-added': '已绑定 Telegram 账户',
    'telegram-removed': '已解除绑定 Telegram 账户',
  },
  zh_HK: {
    password: '密碼已更改',
    email: '電郵已更改',
    username: '用戶名稱已更改',
    'backup-codes': '已產生新的備用碼',
    'second-factor-on': '兩步驗證已開啟',
    'second-factor-off': '兩步驗證已關閉',
    'access-token': '已建立新的存取權杖',
    'passkey-added': '已新增通行金鑰',
    'passkey-removed': '已刪除通行金鑰',
    'account-removed': '帳戶已刪除',
    'identity-added': '已綁定第三方帳戶',
    'identity-removed': '已解除綁定第三方帳戶',
    'telegram-added': '已綁定 Telegram 帳戶',
    'telegram-removed': '已解除綁定 Telegram 帳戶',
  },
  en_US: {
    password: 'your password was changed',
    email: 'your e-mail address was changed',
    username: 'your username was changed',
    'backup-codes': 'new backup codes were made',
    'second-factor-on': 'two-step verification was turned on',
    'second-factor-off': 'two-step verification was turned off',
    'access-token': 'a new access token was created',
    'passkey-added': 'a passkey was added',
    'passkey-removed': 'a passkey was removed',
    'account-removed': 'your account was deleted',
    'identity-added': 'an account for signing in was bound',
    'identity-removed': 'an account for signing in was removed',
    'telegram-added': 'a Telegram account was bound',
    'telegram-removed': 'the Telegram account was removed',
  },
  ja_JP: {
    password: 'パスワードが変更されました',
    email: 'メールアドレスが変更されました',
    username: 'ユーザー名が変更されました',
    'backup-codes': '新しいバックアップコードが発行されました',
    'second-factor-on': '2 段階認証が有効になりました',
    'second-factor-off': '2 段階認証が無効になりました',
    'access-token': '新しいアクセストークンが作成されました',
    'passkey-added': 'パスキーが追加されました',
    'passkey-removed': 'パスキーが削除されました',
    'account-removed': 'アカウントが削除されました',
    'identity-added': 'サインイン用の外部アカウントが連携されました',
    'identity-removed': 'サインイン用の外部アカウントの連携が解除されました',
    'telegram-added': 'Telegram アカウントが連携されました',
    'telegram-removed': 'Telegram アカウントの連携が解除されました',
  },
}

const texts: Record<EmailLanguage, Texts> = {
  zh_CN: {
    code: (site, code, minutes) => ({
      title: `${site}：邮箱验证码`,
      paragraphs: ['您的验证码是：', code, `验证码在 ${minutes} 分钟内有效。`, ignore.zh_CN],
    }),
    addressInUse: (site, url) => ({
      title: `${site}：邮箱已注册`,
      paragraphs: [
        '有人请求验证此邮箱，但它已属于一个账户。您可以直接登录，或重置密码。',
        ignore.zh_CN,
      ],
      ...(url && { link: { label: '重置密码', url } }),
    }),
    reset: (site, name, url, minutes) => ({
      title: `${site}：重置密码`,
      paragraphs: [
        `${name}，您好：`,
        `请在 ${minutes} 分钟内通过下面的链接设置新密码。`,
        ignore.zh_CN,
      ],
      link: { label: '设置新密码', url },
    }),
    noAccount: site => ({
      title: `${site}：重置密码`,
      paragraphs: ['有人请求重置密码，但没有账户使用此邮箱。', ignore.zh_CN],
    }),
    changed: (site, name, change, ip) => ({
      title: `${site}：${changes.zh_CN[change]}`,
      paragraphs: [
        `${name}，您好：`,
        `您的账户有变更：${changes.zh_CN[change]}（来自 ${ip}）。`,
        '如果这不是您本人的操作，请立即重置密码并联系管理员。',
      ],
    }),
  },
  zh_HK: {
    code: (site, code, minutes) => ({
      title: `${site}：電郵驗證碼`,
      paragraphs: ['您的驗證碼是：', code, `驗證碼在 ${minutes} 分鐘內有效。`, ignore.zh_HK],
    }),
    addressInUse: (site, url) => ({
      title: `${site}：電郵已註冊`,
      paragraphs: [
        '有人要求驗證此電郵，但它已屬於一個帳戶。您可以直接登入，或重設密碼。',
        ignore.zh_HK,
      ],
      ...(url && { link: { label: '重設密碼', url } }),
    }),
    reset: (site, name, url, minutes) => ({
      title: `${site}：重設密碼`,
      paragraphs: [
        `${name}，您好：`,
        `請在 ${minutes} 分鐘內透過下面的連結設定新密碼。`,
        ignore.zh_HK,
      ],
      link: { label: '設定新密碼', url },
    }),
    noAccount: site => ({
      title: `${site}：重設密碼`,
      paragraphs: ['有人要求重設密碼，但沒有帳戶使用此電郵。', ignore.zh_HK],
    }),
    changed: (site, name, change, ip) => ({
      title: `${site}：${changes.zh_HK[change]}`,
      paragraphs: [
        `${name}，您好：`,
        `您的帳戶有變更：${changes.zh_HK[change]}（來自 ${ip}）。`,
        '如果這不是您本人的操作，請立即重設密碼並聯絡管理員。',
      ],
    }),
  },
  en_US: {
    code: (site, code, minutes) => ({
      title: `${site}: your verification code`,
      paragraphs: ['Your code is:', code, `It is valid for ${minutes} minutes.`, ignore.en_US],
    }),
    addressInUse: (site, url) => ({
      title: `${site}: this address has an account`,
      paragraphs: [
        'Somebody asked to verify this e-mail address, but it belongs to an account already. Sign in, or reset the password.',
        ignore.en_US,
      ],
      ...(url && { link: { label: 'Reset the password', url } }),
    }),
    reset: (site, name, url, minutes) => ({
      title: `${site}: reset your password`,
      paragraphs: [
        `Hello ${name},`,
        `choose a new password by this link within ${minutes} minutes.`,
        ignore.en_US,
      ],
      link: { label: 'Choose a new password', url },
    }),
    noAccount: site => ({
      title: `${site}: reset your password`,
      paragraphs: [
        'Somebody asked to reset a password, but no account has this e-mail address.',
        ignore.en_US,
      ],
    }),
    changed: (site, name, change, ip) => ({
      title: `${site}: ${changes.en_US[change]}`,
      paragraphs: [
        `Hello ${name},`,
        `${changes.en_US[change]} (from ${ip}).`,
        'If this was not you, reset your password now and tell the administrator.',
      ],
    }),
  },
  ja_JP: {
    code: (site, code, minutes) => ({
      title: `${site}：確認コード`,
      paragraphs: ['確認コード：', code, `コードの有効期限は ${minutes} 分です。`, ignore.ja_JP],
    }),
    addressInUse: (site, url) => ({
      title: `${site}：このメールアドレスは登録済みです`,
      paragraphs: [
        'このメールアドレスの確認が要求されましたが、すでにアカウントで使用されています。サインインするか、パスワードを再設定してください。',
        ignore.ja_JP,
      ],
      ...(url && { link: { label: 'パスワードを再設定', url } }),
    }),
    reset: (site, name, url, minutes) => ({
      title: `${site}：パスワードの再設定`,
      paragraphs: [
        `${name} 様`,
        `${minutes} 分以内に、次のリンクから新しいパスワードを設定してください。`,
        ignore.ja_JP,
      ],
      link: { label: '新しいパスワードを設定', url },
    }),
    noAccount: site => ({
      title: `${site}：パスワードの再設定`,
      paragraphs: [
        'パスワードの再設定が要求されましたが、このメールアドレスのアカウントはありません。',
        ignore.ja_JP,
      ],
    }),
    changed: (site, name, change, ip) => ({
      title: `${site}：${changes.ja_JP[change]}`,
      paragraphs: [
        `${name} 様`,
        `アカウントが変更されました：${changes.ja_JP[change]}（${ip} から）。`,
        'お心当たりがない場合は、すぐにパスワードを再設定し、管理者に連絡してください。',
      ],
    }),
  },
}

/** The e-mails about sign-ins, in the language of the reader. */
export const emailTexts = (language: EmailLanguage): Texts => texts[language]
