#include "provisioner/store/machines/price_store.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto price_columns = R"sql(
    SELECT id, tenant_id, provider_type, provider, region, flavor, image, currency, per_hour,
           valid_from, valid_until
    FROM price
)sql";

constexpr auto valid_ones_of_a_list = R"sql(
    WHERE tenant_id = ? AND valid_until IS NULL
    ORDER BY provider_type, flavor, provider, region, image
    LIMIT 1000000
)sql";

constexpr auto select_any_price = R"sql(
    SELECT EXISTS (SELECT 1 FROM price WHERE tenant_id IN (0, ?) AND valid_until IS NULL) AS found
)sql";

constexpr auto insert_price_rows = R"sql(
    INSERT INTO price (tenant_id, provider_type, provider, region, flavor, image, currency,
                       per_hour, valid_from)
    VALUES )sql";

// A machine that is older than the price and still there was metered by it.
constexpr auto delete_ended_prices = R"sql(
    DELETE FROM price
    WHERE valid_until < ? AND
          NOT EXISTS (SELECT 1 FROM machine_span
                      WHERE machine_span.added_up = 0 AND machine_span.began_at < price.valid_until)
    ORDER BY valid_until
    LIMIT ?
)sql";

model::Price read_price(Rows& row) {
    return {.of = {.provider_type = row.get<std::string>("provider_type"),
                   .provider = row.get<std::string>("provider"),
                   .region = row.get<std::string>("region"),
                   .flavor = row.get<std::string>("flavor"),
                   .image = row.get<std::string>("image")},
            .per_hour = {.currency = row.get<std::string>("currency"),
                         .micros = row.get<long long>("per_hour")},
            .is_own = row.get<long long>("tenant_id") != 0,
            .valid_from = time_column(row, "valid_from"),
            .valid_until = optional_time_column(row, "valid_until")};
}

std::vector<model::Price> read_prices(Rows row) {
    std::vector<model::Price> prices;
    while (row.next()) prices.push_back(read_price(row));
    return prices;
}

/// A valid price of a list with the key of its row.
struct StoredPrice {
    long long id = 0;
    model::Money per_hour;
};

std::map<model::MachineKind, StoredPrice> valid_prices(Connection& connection,
                                                       model::TenantId tenant) {
    std::map<model::MachineKind, StoredPrice> stored;
    Rows row = connection.sql(std::string(price_columns) + valid_ones_of_a_list) << tenant.value;
    while (row.next()) {
        const model::Price price = read_price(row);
        stored[price.of] = {.id = row.get<long long>("id"), .per_hour = price.per_hour};
    }
    return stored;
}

void end_prices(Connection& connection, const std::vector<long long>& ids, base::Timestamp now) {
    const std::string moment = base::to_sql(now);
    for (std::size_t from = 0; from < ids.size(); from += rows_per_statement) {
        const std::size_t count = std::min(rows_per_statement, ids.size() - from);
        Statement update = connection.sql("UPDATE price SET valid_until = ? WHERE id IN (" +
                                          repeated("?", count) + ")")
                           << moment;
        for (std::size_t i = from; i < from + count; ++i) update << ids[i];
        update.exec();
    }
}

void begin_prices(Connection& connection, model::TenantId tenant,
                  const std::vector<const model::Price*>& prices, base::Timestamp now) {
    const std::string moment = base::to_sql(now);
    for (std::size_t from = 0; from < prices.size(); from += rows_per_statement) {
        const std::size_t count = std::min(rows_per_statement, prices.size() - from);
        Statement insert =
            connection.sql(insert_price_rows + repeated("(?, ?, ?, ?, ?, ?, ?, ?, ?)", count));
        const auto some = std::span(prices).subspan(from, count);
        for (const model::Price* price : some) {
            const model::MachineKind& of = price->of;
            insert << tenant.value << of.provider_type << of.provider << of.region << of.flavor
                   << of.image << price->per_hour.currency << price->per_hour.micros << moment;
        }
        insert.exec();
    }
}

}  // namespace

bool has_prices(Connection& connection, model::TenantId tenant) {
    Rows row = connection.sql(select_any_price) << tenant.value << one_row;
    return row.get<int>("found") != 0;
}

std::vector<model::Price> list_prices(Connection& connection, model::TenantId tenant) {
    return read_prices(connection.sql(std::string(price_columns) + valid_ones_of_a_list)
                       << tenant.value);
}

model::Prices prices_for(Connection& connection, model::TenantId tenant,
                         const std::set<model::MachineKind>& kinds, base::Timestamp from) {
    if (kinds.empty()) return {};
    std::set<std::string> types;
    std::set<std::string> flavors{model::any_flavor};
    for (const model::MachineKind& kind : kinds) {
        types.insert(kind.provider_type);
        flavors.insert(kind.flavor);
    }
    Statement select = connection.sql(
        std::string(price_columns) + "WHERE tenant_id IN (0, ?) AND provider_type IN (" +
        repeated("?", types.size()) + ") AND flavor IN (" + repeated("?", flavors.size()) +
        ") AND (valid_until IS NULL OR valid_until > ?) ORDER BY id LIMIT 1000000");
    select << tenant.value;
    for (const std::string& type : types) select << type;
    for (const std::string& flavor : flavors) select << flavor;
    select << base::to_sql(from);
    return model::Prices(read_prices(select.query()));
}

model::Prices prices_for(Connection& connection, model::TenantId tenant,
                         const model::MachineCounts& machines, base::Timestamp at) {
    std::set<model::MachineKind> kinds;
    for (const auto& [kind, count] : machines) kinds.insert(kind);
    return prices_for(connection, tenant, kinds, at);
}

PriceChanges replace_prices(Connection& connection, model::TenantId tenant,
                            const std::vector<model::Price>& prices, base::Timestamp now) {
    auto stored = valid_prices(connection, tenant);
    PriceChanges changes;
    std::vector<const model::Price*> beginning;
    std::vector<long long> ending;
    for (const model::Price& price : prices) {
        const auto found = stored.find(price.of);
        const bool is_new = found == stored.end();
        if (!is_new && found->second.per_hour == price.per_hour) {
            ++changes.unchanged;
            stored.erase(found);
            continue;
        }
        beginning.push_back(&price);
        ++(is_new ? changes.added : changes.changed);
        if (is_new) continue;
        ending.push_back(found->second.id);
        stored.erase(found);
    }
    changes.removed = static_cast<int>(stored.size());
    for (const auto& [of, price] : stored) ending.push_back(price.id);
    end_prices(connection, ending, now);
    begin_prices(connection, tenant, beginning, now);
    return changes;
}

int delete_prices(Connection& connection, base::Timestamp moment, int limit) {
    const std::string before = base::to_sql(moment);
    Statement remove = connection.sql(delete_ended_prices) << before << limit;
    remove.exec();
    return static_cast<int>(remove.affected());
}

}  // namespace provisioner::store
