import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Buys insurance from the sandbox with Java 17. In a clone, after {@code npm ci}: {@code java examples/java/Policy.java}.
 * In your own project, install the package as the README of the repository says, run this file in the folder that has
 * node_modules, and turn the checks into JUnit tests.
 */
public final class Policy {
    private static final String ADA = """
            {"first_name": "Ada", "surname": "Obi", "email": "ada@example.com", "phone_no": "08031234567",
             "date_of_birth": "1990-04-12", "product_id": 1, "subscription_type": "monthly", "amount": 700,
             "nin_number": "12345678901", "first_beneficiary_full_name": "Bola Ade",
             "id_url": "https://files.example.com/id.png"}
            """;

    public static void main(String[] args) throws Exception {
        var installed = Path.of("node_modules/micro-insurance-sandbox");
        var bin = (Files.exists(installed) ? installed : Path.of("")).resolve("bin/micro-insurance-sandbox.cjs");
        // Port 0 picks a free port; --json prints it in one line.
        var sandbox = new ProcessBuilder("node", bin.toString(), "--port", "0", "--json")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            var url = text("url", sandbox.inputReader().readLine());
            aPurchaseEndsInAPolicy(new Merchant(url));
            aPurchaseLapsesAfter15Minutes(new Merchant(url));
            aPolicyExistsAlthoughItsAnswerWasLost(new Merchant(url));
        } finally {
            sandbox.destroy();
        }
    }

    static void aPurchaseEndsInAPolicy(Merchant merchant) throws Exception {
        var answer = merchant.verify(merchant.initiate());
        check("a purchase ends in a policy", text("policy_no", answer.body()).matches("\\d{10}"));
    }

    static void aPurchaseLapsesAfter15Minutes(Merchant merchant) throws Exception {
        var token = merchant.initiate();
        var clock = merchant.call("POST", "/_sandbox/clock/advance", "{\"by\": \"PT15M\"}");
        check("a purchase lapses on the way", text("token", clock.body()).equals(token));
        var late = merchant.verify(token);
        check("after 15 minutes it is too late",
                late.statusCode() == 400 && text("message", late.body()).equals("Token has expired"));
    }

    static void aPolicyExistsAlthoughItsAnswerWasLost(Merchant merchant) throws Exception {
        var token = merchant.initiate();
        // The policy is created, then the response is lost: the worst case for a merchant.
        try {
            merchant.verify(token, "Sandbox-Fault", "after; drop");
            check("the response is lost", false);
        } catch (IOException lost) {
            check("the response is lost (" + lost.getMessage() + ")", true);
        }
        check("a second verify says that the token was used",
                text("message", merchant.verify(token).body()).equals("Token has already been used"));
        var journal = merchant.call("GET", "/_sandbox/journal?status=200&token=" + token, "");
        var policy = text("policy_no", journal.body());
        var valid = merchant.call("GET", "/api/merchant/micro_health/validate_policy/" + policy, "");
        check("the policy exists (" + policy + ")", valid.statusCode() == 200);
    }

    /** A new merchant with its own clock and no records. */
    static final class Merchant {
        // The sandbox speaks HTTP/1.1; Java would ask for HTTP/2 first.
        private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private final String url;
        private final String key;

        Merchant(String url) throws Exception {
            this.url = url;
            var mint = HttpRequest.newBuilder(URI.create(url + "/_sandbox/merchants"))
                    .POST(HttpRequest.BodyPublishers.noBody()).build();
            this.key = text("api_key", client.send(mint, HttpResponse.BodyHandlers.ofString()).body());
        }

        HttpResponse<String> call(String method, String path, String body, String... headers) throws Exception {
            var request = HttpRequest.newBuilder(URI.create(url + path))
                    .header("Authorization", "Bearer " + key)
                    .header("Content-Type", "application/json")
                    .method(method, HttpRequest.BodyPublishers.ofString(body));
            if (headers.length > 0) request.headers(headers);
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }

        String initiate() throws Exception {
            return text("token", call("POST", "/api/merchant/micro_health/initiate", ADA).body());
        }

        HttpResponse<String> verify(String token, String... headers) throws Exception {
            return call("POST", "/api/merchant/micro_health/verify", "{\"token\": \"" + token + "\"}", headers);
        }
    }

    /** Returns the first member of that name. Use a JSON library in real code. */
    static String text(String name, String json) {
        var member = Pattern.compile('"' + name + "\"\\s*:\\s*\"([^\"]*)\"").matcher(json);
        if (!member.find()) throw new AssertionError("There is no " + name + " in " + json);
        return member.group(1);
    }

    static void check(String what, boolean holds) {
        System.out.println((holds ? "ok      " : "FAILED  ") + what);
        if (!holds) throw new AssertionError(what);
    }
}
