import TopUpIcon from 'virtual:icons/account-balance-wallet'
import VirtualModelIcon from 'virtual:icons/alt-route'
import ModelInfoIcon from 'virtual:icons/article'
import ModelIcon from 'virtual:icons/category'
import CardIcon from 'virtual:icons/credit-card'
import DashboardIcon from 'virtual:icons/dashboard'
import GroupIcon from 'virtual:icons/diversity-3'
import PlaygroundIcon from 'virtual:icons/forum'
import ConformanceIcon from 'virtual:icons/grid-on'
import HistoryIcon from 'virtual:icons/history'
import ChannelIcon from 'virtual:icons/hub'
import SimulatorIcon from 'virtual:icons/insights'
import TokenIcon from 'virtual:icons/key'
import SignInIcon from 'virtual:icons/login'
import NotificationIcon from 'virtual:icons/notifications'
import MidjourneyIcon from 'virtual:icons/palette'
import PaymentIcon from 'virtual:icons/payments'
import UserIcon from 'virtual:icons/people'
import PersonIcon from 'virtual:icons/person'
import AnalyticsIcon from 'virtual:icons/query-stats'
import InvoiceIcon from 'virtual:icons/receipt-long'
import CodeIcon from 'virtual:icons/redeem'
import PriceIcon from 'virtual:icons/sell'
import TelegramIcon from 'virtual:icons/send'
import SettingIcon from 'virtual:icons/settings'
import OwnerIcon from 'virtual:icons/storefront'
import TaskIcon from 'virtual:icons/task'
import TerminalIcon from 'virtual:icons/terminal'
import OperationIcon from 'virtual:icons/tune'
import AuditIcon from 'virtual:icons/verified-user'
import type { ComponentType } from 'react'

const icons: Record<string, ComponentType> = {
  dashboard: DashboardIcon,
  analytics: AnalyticsIcon,
  margin: PaymentIcon,
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
