#include "provisioner/federation/certificates.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <array>
#include <ctime>
#include <memory>
#include <vector>

#include "provisioner/base/utf8.hpp"

namespace provisioner::federation {

namespace {

/// Frees what libcrypto gave.
struct CryptoRelease {
    void operator()(BIO* bio) const { BIO_free(bio); }
    void operator()(X509* certificate) const { X509_free(certificate); }
    void operator()(X509_STORE* store) const { X509_STORE_free(store); }
    void operator()(X509_STORE_CTX* context) const { X509_STORE_CTX_free(context); }
    void operator()(GENERAL_NAMES* names) const { GENERAL_NAMES_free(names); }
};
template <typename T>
using Owned = std::unique_ptr<T, CryptoRelease>;

/// The most bytes of a name that are told.
constexpr std::size_t told_of_name = 200;

int no_password(char*, int, int, void*) {
    return 0;
}

std::vector<Owned<X509>> certificates_in(const std::string& pem) {
    const Owned<BIO> text(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
    std::vector<Owned<X509>> found;
    while (X509* one = PEM_read_bio_X509(text.get(), nullptr, no_password, nullptr)) {
        found.emplace_back(one);
    }
    ERR_clear_error();
    return found;
}

std::string day_of(const ASN1_TIME* moment) {
    std::tm parts{};
    if (ASN1_TIME_to_tm(moment, &parts) != 1) return "an unknown day";
    std::array<char, 32> text{};
    const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts);
    return {text.data(), size};
}

std::string text_of(const X509_NAME* name) {
    const Owned<BIO> text(BIO_new(BIO_s_mem()));
    X509_NAME_print_ex(text.get(), name, 0, XN_FLAG_RFC2253);
    char* data = nullptr;
    const long size = BIO_get_mem_data(text.get(), &data);
    return base::printable({data, static_cast<std::size_t>(size)}, told_of_name);
}

/// The names of hosts in a certificate, at most five; without any the name of its owner.
std::string names_of(const X509* certificate) {
    constexpr int most = 5;
    std::string told;
    const Owned<GENERAL_NAMES> names(static_cast<GENERAL_NAMES*>(
        X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
    for (int i = 0; i < std::min(most, sk_GENERAL_NAME_num(names.get())); ++i) {
        const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
        if (name->type != GEN_DNS) continue;
        const auto* data = ASN1_STRING_get0_data(name->d.dNSName);
        const auto size = static_cast<std::size_t>(ASN1_STRING_length(name->d.dNSName));
        told += (told.empty() ? "" : ", ") +
                base::printable({reinterpret_cast<const char*>(data), size}, told_of_name);
    }
    return told.empty() ? text_of(X509_get_subject_name(certificate)) : told;
}

/// Whether one of the authorities issued it, or is it; when it is valid does not matter.
int trust_error(X509* certificate, const std::vector<Owned<X509>>& authorities) {
    const Owned<X509_STORE> store(X509_STORE_new());
    for (const auto& one : authorities) X509_STORE_add_cert(store.get(), one.get());
    const Owned<X509_STORE_CTX> context(X509_STORE_CTX_new());
    X509_STORE_CTX_init(context.get(), store.get(), certificate, nullptr);
    X509_STORE_CTX_set_flags(context.get(), X509_V_FLAG_NO_CHECK_TIME | X509_V_FLAG_PARTIAL_CHAIN);
    const bool is_trusted = X509_verify_cert(context.get()) == 1;
    const int error = X509_STORE_CTX_get_error(context.get());
    ERR_clear_error();
    return is_trusted ? X509_V_OK : error;
}

/// What a certificate is or does not, behind its name, and what helps.
struct Reason {
    std::string words{};
    std::string remedy{};
};

constexpr auto enter_itself = "enter it under Authorities";
constexpr auto enter_authority = "enter this authority under Authorities";

Reason reason_of_trust(long error, const std::string& issuer) {
    switch (error) {
        case X509_V_OK:
            return {};
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            return {"is self-signed", enter_itself};
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
        case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            return {"is signed by " + issuer + ", which is not trusted", enter_authority};
        default:
            return {"is signed by " + issuer +
                        " and not accepted: " + X509_verify_cert_error_string(error),
                    ""};
    }
}

/// One sentence about the certificate of a host.
CertificateProblem told(const std::string& host, const std::vector<Reason>& reasons) {
    CertificateProblem problem;
    std::string remedy;
    for (const Reason& one : reasons) {
        if (one.words.empty()) continue;
        problem.words += problem.words.empty() ? "The certificate of " + host + ' ' : "; it ";
        problem.words += one.words;
        if (!one.remedy.empty()) remedy = ": " + one.remedy;
    }
    problem.is_untrusted = !remedy.empty();
    if (!problem.words.empty()) problem.words += remedy + '.';
    return problem;
}

std::size_t count_of(const std::string& text, std::string_view what) {
    std::size_t count = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
    return count;
}

Owned<X509> certificate_in(std::string_view der) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(der.data());
    Owned<X509> certificate(d2i_X509(nullptr, &bytes, static_cast<long>(der.size())));
    if (!certificate) ERR_clear_error();
    return certificate;
}

bool is_for(X509* certificate, const std::string& host) {
    return X509_check_host(certificate, host.data(), host.size(), 0, nullptr) == 1 ||
           X509_check_ip_asc(certificate, host.c_str(), 0) == 1;
}

/// What is wrong with it whoever has signed it.
std::vector<Reason> reasons_alone(X509* certificate, const std::string& host, base::Timestamp at) {
    std::vector<Reason> reasons;
    std::time_t now = std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
    const ASN1_TIME* begin = X509_get0_notBefore(certificate);
    const ASN1_TIME* end = X509_get0_notAfter(certificate);
    if (X509_cmp_time(begin, &now) > 0) reasons.push_back({"is valid from " + day_of(begin)});
    if (X509_cmp_time(end, &now) < 0) reasons.push_back({"expired on " + day_of(end)});
    if (!is_for(certificate, host)) {
        reasons.push_back({"is for " + names_of(certificate) + ", not for " + host});
    }
    return reasons;
}

}  // namespace

std::string problem_with_authorities(const std::string& pem) {
    const std::size_t read = certificates_in(pem).size();
    const std::size_t begun = count_of(pem, "-----BEGIN CERTIFICATE-----") +
                              count_of(pem, "-----BEGIN TRUSTED CERTIFICATE-----") +
                              count_of(pem, "-----BEGIN X509 CERTIFICATE-----");
    if (read == 0) return "This is no certificate in PEM.";
    if (read >= begun) return "";
    return "Certificate " + std::to_string(read + 1) + " of " + std::to_string(begun) +
           " cannot be read.";
}

CertificateProblem problem_with_certificate(std::string_view der,
                                            const CertificateExpectation& expected) {
    const auto certificate = certificate_in(der);
    if (!certificate) return {};
    auto reasons = reasons_alone(certificate.get(), expected.host, expected.now);
    const auto authorities = certificates_in(expected.authorities);
    reasons.push_back(reason_of_trust(trust_error(certificate.get(), authorities),
                                      text_of(X509_get_issuer_name(certificate.get()))));
    return told(expected.host, reasons);
}

CertificateProblem problem_of_verification(const std::string& host, std::optional<long> result,
                                           std::string_view der, base::Timestamp now) {
    const auto certificate = certificate_in(der);
    auto reasons =
        certificate ? reasons_alone(certificate.get(), host, now) : std::vector<Reason>();
    const bool is_date =
        result == X509_V_ERR_CERT_HAS_EXPIRED || result == X509_V_ERR_CERT_NOT_YET_VALID;
    if (result && !is_date) {
        reasons.push_back(
            reason_of_trust(*result, certificate ? text_of(X509_get_issuer_name(certificate.get()))
                                                 : "an authority"));
    } else if (reasons.empty()) {
        reasons.push_back({!result                                 ? "is for another host"
                           : result == X509_V_ERR_CERT_HAS_EXPIRED ? "has expired"
                                                                   : "is not valid yet"});
    }
    return told(host, reasons);
}

}  // namespace provisioner::federation
