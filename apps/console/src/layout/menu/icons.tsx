import TopUpIcon from '@mui/icons-material/AccountBalanceWalletOutlined'
import VirtualModelIcon from '@mui/icons-material/AltRouteOutlined'
import ModelInfoIcon from '@mui/icons-material/ArticleOutlined'
import ModelIcon from '@mui/icons-material/CategoryOutlined'
import CardIcon from '@mui/icons-material/CreditCardOutlined'
import DashboardIcon from '@mui/icons-material/DashboardOutlined'
import GroupIcon from '@mui/icons-material/Diversity3Outlined'
import PlaygroundIcon from '@mui/icons-material/ForumOutlined'
import ConformanceIcon from '@mui/icons-material/GridOnOutlined'
import HistoryIcon from '@mui/icons-material/HistoryOutlined'
import ChannelIcon from '@mui/icons-material/HubOutlined'
import SimulatorIcon from '@mui/icons-material/InsightsOutlined'
import TokenIcon from '@mui/icons-material/KeyOutlined'
import SignInIcon from '@mui/icons-material/LoginOutlined'
import NotificationIcon from '@mui/icons-material/NotificationsOutlined'
import MidjourneyIcon from '@mui/icons-material/PaletteOutlined'
import PaymentIcon from '@mui/icons-material/PaymentsOutlined'
import UserIcon from '@mui/icons-material/PeopleOutlined'
import PersonIcon from '@mui/icons-material/PersonOutlined'
import AnalyticsIcon from '@mui/icons-material/QueryStatsOutlined'
import InvoiceIcon from '@mui/icons-material/ReceiptLongOutlined'
import CodeIcon from '@mui/icons-material/RedeemOutlined'
import PriceIcon from '@mui/icons-material/SellOutlined'
import TelegramIcon from '@mui/icons-material/SendOutlined'
import SettingIcon from '@mui/icons-material/SettingsOutlined'
import OwnerIcon from '@mui/icons-material/StorefrontOutlined'
import TaskIcon from '@mui/icons-material/TaskOutlined'
import TerminalIcon from '@mui/icons-material/TerminalOutlined'
import OperationIcon from '@mui/icons-material/TuneOutlined'
import AuditIcon from '@mui/icons-material/VerifiedUserOutlined'
import type { ComponentType } from 'react'

const icons: Record<string, ComponentType> = {
  dashboard: DashboardIcon,
  analytics: AnalyticsIcon,
  playground: PlaygroundIcon,
  user: UserIcon,
  channel: ChannelIcon,
  operation: OperationIcon,
  user_group: GroupIcon,
  pricing: PriceIcon,
  virtual_model: VirtualModelIcon,
  simulator: SimulatorIcon,
  model_ownedby: OwnerIcon,
  model_info: ModelInfoIcon,
  telegram: TelegramIcon,
  paySetting: PaymentIcon,
  redemption: CodeIcon,
  payment: CardIcon,
  notification: NotificationIcon,
  topup: TopUpIcon,
  model_price: ModelIcon,
  conformance: ConformanceIcon,
  token: TokenIcon,
  user_token: TokenIcon,
  system_info: TerminalIcon,
  profile: PersonIcon,
  setting: SettingIcon,
  oauth_provider: SignInIcon,
  log: HistoryIcon,
  invoice: InvoiceIcon,
  midjourney: MidjourneyIcon,
  task: TaskIcon,
  audit: AuditIcon,
}

export const MenuIcon = ({ name }: { name: string }) => {
  const Icon = icons[name]
  return Icon ? <Icon /> : null
}
