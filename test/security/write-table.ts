type TableName = string
type Fields = string

const fieldsOfModelInfo =
  'model name description context_length max_tokens input_modalities output_modalities tags support_url'

/**
 * The fields that each write takes from its body, written by hand, and the table whose columns it is tried with.
 * A write of the contract that is not listed, and a field that is taken but not listed, fail a test.
 */
export const writeTable: Readonly<Record<string, readonly [TableName, Fields]>> = {
  'POST /api/user/login': ['users', 'username password turnstile'],
  'POST /api/user/login/2fa': ['users', 'token code'],
  'POST /api/user/register': [
    'users',
    'username password email verification_code aff_code turnstile',
  ],
  'POST /api/verification': ['users', 'email turnstile'],
  'POST /api/reset_password': ['users', 'email turnstile'],
  'POST /api/user/reset': ['users', 'token password'],
  'POST /api/user/logout': ['users', ''],
  'PUT /api/user/self': [
    'users',
    'display_name avatar_url username password current_password code passkey_proof',
  ],
  'DELETE /api/user/self': ['users', 'current_password code passkey_proof'],
  'POST /api/user/proof': ['sessions', 'current_password code passkey_proof'],
  'DELETE /api/user/sessions': ['sessions', ''],
  'DELETE /api/user/sessions/:session': ['sessions', ''],
  'POST /api/user/token': ['users', 'current_password code passkey_proof'],
  'POST /api/user/email': ['users', 'current_password code passkey_proof email verification_code'],
  'POST /api/user/2fa/setup': ['second_factors', 'current_password code passkey_proof'],
  'POST /api/user/2fa/enable': ['second_factors', 'code'],
  'POST /api/user/2fa/disable': ['second_factors', 'current_password code passkey_proof'],
  'POST /api/user/2fa/backup_codes': ['second_factors', 'current_password code passkey_proof'],
  'POST /api/oauth/wechat/begin': ['identities', ''],
  'POST /api/oauth/wechat/bind': [
    'identities',
    'current_password code passkey_proof wechat_code state',
  ],
  'PUT /api/user/passkey/': ['passkeys', 'id name'],
  'DELETE /api/user/passkey/:id': ['passkeys', 'current_password code passkey_proof'],
  'POST /api/user/passkey/register/begin': ['passkeys', 'current_password code passkey_proof'],
  'POST /api/user/passkey/register/finish': ['passkeys', 'name credential'],
  'POST /api/user/passkey/login/begin': ['passkeys', ''],
  'POST /api/user/passkey/login/finish': ['passkeys', 'credential'],
  'POST /api/user/passkey/verify/begin': ['passkeys', 'action'],
  'POST /api/user/passkey/verify/finish': ['passkeys', 'credential'],
  'POST /api/invoice/:id/paid': ['invoices', ''],
  'POST /api/option/invoice/gen/:time': ['invoices', ''],
  'POST /api/option/invoice/update/:time': ['invoices', ''],
  'POST /api/oauth/bind': ['identities', 'current_password code passkey_proof type'],
  'POST /api/user/unbind': ['identities', 'current_password code passkey_proof type'],
  'POST /api/custom-oauth-provider/discovery': ['oauth_providers', 'issuer'],
  'POST /api/custom-oauth-provider/': [
    'oauth_providers',
    `
    name slug kind enabled client_id issuer authorization_endpoint token_endpoint
    userinfo_endpoint scopes subject_field username_field name_field email_field
    email_verified_field client_secret`,
  ],
  'PUT /api/custom-oauth-provider/': [
    'oauth_providers',
    `
    id name slug kind enabled client_id issuer authorization_endpoint token_endpoint
    userinfo_endpoint scopes subject_field username_field name_field email_field
    email_verified_field client_secret`,
  ],
  'DELETE /api/custom-oauth-provider/:id': ['oauth_providers', ''],
  'POST /api/notification/': [
    'notification_targets',
    'name type config events language digest quiet_from quiet_to enabled',
  ],
  'PUT /api/notification/': [
    'notification_targets',
    'id name config events language digest quiet_from quiet_to enabled',
  ],
  'DELETE /api/notification/:id': ['notification_targets', ''],
  'POST /api/notification/:id/test': ['notifications', ''],
  'POST /api/notification/delivery/:id/resend': ['notifications', ''],
  'POST /api/user/notification/': [
    'notification_targets',
    'name type config events language digest quiet_from quiet_to enabled',
  ],
  'PUT /api/user/notification/': [
    'notification_targets',
    'id name config events language digest quiet_from quiet_to enabled',
  ],
  'DELETE /api/user/notification/:id': ['notification_targets', ''],
  'POST /api/user/notification/:id/test': ['notifications', ''],
  'POST /api/user/notification/delivery/:id/resend': ['notifications', ''],
  'PUT /api/user/notification/reminder': ['reminders', 'threshold'],
  'POST /api/user/topup': ['redemptions', 'key'],
  'POST /api/user/order': ['orders', 'uuid amount'],
  'POST /api/payment/order/:id/ask': ['orders', ''],
  'POST /api/payment/order/:id/credit': ['orders', 'remark'],
  'POST /api/payment/order/:id/refund': ['orders', 'number amount'],
  'POST /api/payment/': [
    'payment_gateways',
    'type name icon notify_domain fixed_fee percent_fee currency config sort enable',
  ],
  'PUT /api/payment/': [
    'payment_gateways',
    'id name icon notify_domain fixed_fee percent_fee currency config sort enable',
  ],
  'DELETE /api/payment/:id': ['payment_gateways', ''],
  'POST /api/user/': ['users', 'username password display_name email avatar_url role group quota'],
  'PUT /api/user/': [
    'users',
    'id username display_name email avatar_url role group status password',
  ],
  'POST /api/user/manage': ['users', 'username action'],
  'POST /api/user/quota/:id': ['users', 'quota remark'],
  'DELETE /api/user/:id': ['users', ''],
  'DELETE /api/user/:id/sessions': ['sessions', ''],
  'DELETE /api/user/:id/sessions/:session': ['sessions', ''],
  'POST /api/user/:id/reset_2fa': ['users', ''],
  'POST /api/user_group/': [
    'user_groups',
    `
    symbol name ratio api_rate requests_per_day tokens_per_minute concurrent_requests
    quota_per_day quota_per_month public enable promotion min max`,
  ],
  'PUT /api/user_group/': [
    'user_groups',
    `
    name ratio api_rate requests_per_day tokens_per_minute concurrent_requests quota_per_day
    quota_per_month public promotion min max id`,
  ],
  'PUT /api/user_group/enable/:id': ['user_groups', ''],
  'DELETE /api/user_group/:id': ['user_groups', ''],
  'POST /api/token/': [
    'tokens',
    `
    name expired_time unlimited_quota remain_quota group backup_group chat_cache api_rate
    requests_per_day tokens_per_minute concurrent_requests quota_per_day quota_per_month
    setting`,
  ],
  'PUT /api/token/': [
    'tokens',
    `
    name expired_time unlimited_quota remain_quota group backup_group chat_cache api_rate
    requests_per_day tokens_per_minute concurrent_requests quota_per_day quota_per_month
    setting id status status_only`,
  ],
  'POST /api/token/batch': [
    'tokens',
    `
    name expired_time unlimited_quota remain_quota group backup_group chat_cache api_rate
    requests_per_day tokens_per_minute concurrent_requests quota_per_day quota_per_month
    setting count`,
  ],
  'PUT /api/token/batch': ['tokens', 'ids status expired_time group unlimited_quota remain_quota'],
  'DELETE /api/token/batch': ['tokens', 'ids'],
  'POST /api/token/:id/reveal': ['tokens', ''],
  'POST /api/token/playground': ['tokens', ''],
  'DELETE /api/token/:id': ['tokens', ''],
  'PUT /api/token/admin': [
    'tokens',
    `
    name expired_time unlimited_quota remain_quota group backup_group chat_cache api_rate
    requests_per_day tokens_per_minute concurrent_requests quota_per_day quota_per_month
    setting id status user_id`,
  ],
  'DELETE /api/token/admin/:id': ['tokens', ''],
  'POST /api/channel/': [
    'channels',
    `
    type name base_url other models group tag model_mapping model_headers custom_parameter
    priority weight proxy test_model only_chat pre_cost compatible_response allow_extra_body
    disabled_stream context_sizes plugin key_rotation key key_mode status`,
  ],
  'PUT /api/channel/': [
    'channels',
    `
    type name base_url other models group tag model_mapping priority weight test_model
    only_chat pre_cost compatible_response allow_extra_body disabled_stream context_sizes plugin
    key_rotation proxy model_headers custom_parameter id status key`,
  ],
  'POST /api/channel/:id/copy': ['channels', ''],
  'DELETE /api/channel/disabled': ['channels', ''],
  'DELETE /api/channel/batch': ['channels', 'value ids'],
  'PUT /api/channel/batch/azure_api': ['channels', 'ids value'],
  'PUT /api/channel/batch/del_model': ['channels', 'ids value'],
  'PUT /api/channel/batch/models': ['channels', 'ids action models'],
  'PUT /api/channel/batch/groups': ['channels', 'ids action group'],
  'PUT /api/channel/batch/status': ['channels', 'ids status'],
  'POST /api/sse/channel/check': ['channels', 'id models features'],
  'POST /api/channel/:id/upstream': ['channel_watches', ''],
  'POST /api/channel/:id/models/apply': ['channels', 'add remove'],
  'POST /api/channel/:id/models/ignore': ['channels', 'models'],
  'POST /api/channel/:id/ratio/confirm': ['upstream_ratios', ''],
  'POST /api/channel/provider_groups_list': ['channels', 'id type key base_url proxy other'],
  'POST /api/channel/import': ['channels', 'file dry_run'],
  'DELETE /api/channel/:id': ['channels', ''],
  'POST /api/channel/test/:id': ['channels', 'model fingerprint'],
  'POST /api/channel/test': ['channels', ''],
  'POST /api/channel/update_balance/:id': ['channels', ''],
  'POST /api/channel/update_balance': ['channels', ''],
  'POST /api/channel/:id/keys': ['channel_keys', 'key'],
  'PUT /api/channel/:id/costs': ['cost_lists', 'list'],
  'PUT /api/costs/rates': ['exchange_rates', 'currency rate valid_from'],
  'PUT /api/channel/:id/keys/:fingerprint': ['channel_keys', 'status'],
  'DELETE /api/channel/:id/keys/:fingerprint': ['channel_keys', ''],
  'DELETE /api/channel/:id/tag': ['channels', ''],
  'POST /api/channel/provider_models_list': ['channels', 'id type key base_url proxy other'],
  'PUT /api/channel_tag/:tag_name': [
    'channels',
    `
    base_url other models group tag model_mapping test_model only_chat pre_cost
    compatible_response allow_extra_body disabled_stream context_sizes plugin key_rotation proxy
    model_headers custom_parameter key`,
  ],
  'DELETE /api/channel_tag/:tag_name': ['channels', ''],
  'DELETE /api/channel_tag/:tag_name/disabled': ['channels', ''],
  'PUT /api/channel_tag/:tag_name/priority': ['channels', 'type value'],
  'PUT /api/channel_tag/:tag_name/status/:status': ['channels', ''],
  'POST /api/prices/single': [
    'prices',
    'model type channel_type input output locked extra_ratios tiers tool_prices',
  ],
  'PUT /api/prices/single/*name': [
    'prices',
    'model type channel_type input output locked extra_ratios tiers tool_prices',
  ],
  'DELETE /api/prices/single/*name': ['prices', ''],
  'POST /api/prices/multiple': ['prices', 'original_models models price'],
  'PUT /api/prices/multiple/delete': ['prices', 'models'],
  'POST /api/prices/read': ['prices', 'address text'],
  'POST /api/prices/suggest': ['prices', 'from_list models unpriced_only'],
  'POST /api/prices/preview': ['prices', 'mode prices'],
  'POST /api/prices/sync': ['prices', 'updateMode prices digest'],
  'POST /api/prices/undo': ['prices', ''],
  'POST /api/prices/schedule': ['price_schedule', 'models price at'],
  'DELETE /api/prices/schedule': ['price_schedule', 'model at'],
  'POST /api/option/telegram/': [
    'telegram_menus',
    'id command description parse_mode reply_message',
  ],
  'PUT /api/option/telegram/': [
    'telegram_menus',
    'id command description parse_mode reply_message',
  ],
  'DELETE /api/option/telegram/:id': ['telegram_menus', ''],
  'PUT /api/option/telegram/reload': ['telegram_menus', ''],
  'POST /api/user/telegram': ['identities', 'current_password code passkey_proof'],
  'DELETE /api/user/telegram': ['identities', 'current_password code passkey_proof'],
  'POST /api/virtual_model/': ['virtual_models', 'name enable groups candidates'],
  'PUT /api/virtual_model/': ['virtual_models', 'id enable groups candidates'],
  'DELETE /api/virtual_model/:id': ['virtual_models', ''],
  'POST /api/virtual_model/:id/restore': ['virtual_model_versions', 'version'],
  'POST /api/virtual_model/preview': ['virtual_models', 'candidates group tokens tools images at'],
  'POST /api/model_ownedby/': ['owners', 'id name icon'],
  'PUT /api/model_ownedby/': ['owners', 'id name icon'],
  'DELETE /api/model_ownedby/:id': ['owners', ''],
  'POST /api/model_info/': ['model_info', fieldsOfModelInfo],
  'PUT /api/model_info/': ['model_info', `id ${fieldsOfModelInfo}`],
  'DELETE /api/model_info/:id': ['model_info', ''],
  'POST /api/model_info/read': ['model_info', 'address text'],
  'POST /api/invitation/:id/give': ['invitations', 'id remark'],
  'POST /api/invitation/:id/withhold': ['invitations', 'id remark'],
  'POST /api/redemption/': ['redemptions', 'name quota count expired_time'],
  'PUT /api/redemption/': ['redemptions', 'id name quota expired_time status status_only'],
  'DELETE /api/redemption/:id': ['redemptions', ''],
  'DELETE /api/log/': ['logs', 'target_timestamp'],
  'POST /api/simulator/': ['prices', 'days prices groups cursor'],
  'PUT /api/option/': ['options', 'key value'],
  'POST /api/option/test-mail': ['options', 'to template language'],
  'POST /api/system_info/backup': ['backup_runs', ''],
  'POST /api/option/test-task-storage': ['options', ''],
  'POST /api/system_info/log': ['options', 'count'],
  'POST /api/operations/rules_read': ['options', ''],
  'POST /api/task/callback-secret': ['users', ''],
  'POST /api/task/:id/cancel': ['tasks', ''],
}
