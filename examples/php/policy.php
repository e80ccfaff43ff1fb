<?php
/*
 * Buys insurance from the sandbox with PHP 8 and its curl extension. In a clone, after `npm ci`:
 *
 *     php examples/php/policy.php
 *
 * In your own project, install the package as the README of the repository says, run this file in the folder that has
 * node_modules, and turn the checks into a PHPUnit TestCase.
 */
declare(strict_types=1);

const ADA = [
    'first_name' => 'Ada',
    'surname' => 'Obi',
    'email' => 'ada@example.com',
    'phone_no' => '08031234567',
    'date_of_birth' => '1990-04-12',
    'product_id' => 1,
    'subscription_type' => 'monthly',
    'amount' => 700,
    'nin_number' => '12345678901',
    'first_beneficiary_full_name' => 'Bola Ade',
    'id_url' => 'https://files.example.com/id.png',
];

final class ConnectionLost extends RuntimeException {}

/** The sandbox as one merchant sees it. */
final class Merchant
{
    public function __construct(private string $url, private ?string $key = null) {}

    /** Creates a merchant with its own clock and no records. */
    public static function minted(string $url): self
    {
        [, $merchant] = (new self($url))->call('POST', '/_sandbox/merchants');
        return new self($url, $merchant['api_key']);
    }

    /** Returns status and body of the response. */
    public function call(string $method, string $path, ?array $body = null, array $headers = []): array
    {
        if ($this->key !== null) {
            $headers[] = "Authorization: Bearer {$this->key}";
        }
        $request = curl_init($this->url . $path);
        curl_setopt_array($request, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => ['Content-Type: application/json', ...$headers],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 10,
        ]);
        if ($body !== null) {
            curl_setopt($request, CURLOPT_POSTFIELDS, json_encode($body));
        }
        $answer = curl_exec($request);
        if ($answer === false) {
            throw new ConnectionLost(curl_error($request));
        }
        return [curl_getinfo($request, CURLINFO_RESPONSE_CODE), json_decode($answer, true)];
    }

    public function initiate(): string
    {
        [, $answer] = $this->call('POST', '/api/merchant/micro_health/initiate', ADA);
        return $answer['data']['token'];
    }

    public function verify(string $token, array $headers = []): array
    {
        return $this->call('POST', '/api/merchant/micro_health/verify', ['token' => $token], $headers);
    }
}

function check(string $what, bool $holds): void
{
    echo $holds ? 'ok      ' : 'FAILED  ', $what, "\n";
    $holds || exit(1);
}

$installed = 'node_modules/micro-insurance-sandbox';
$bin = (is_dir($installed) ? $installed : dirname(__DIR__, 2)) . '/bin/micro-insurance-sandbox.cjs';
// Port 0 picks a free port; --json prints it in one line.
$sandbox = proc_open(['node', $bin, '--port', '0', '--json'], [1 => ['pipe', 'w']], $pipes);
register_shutdown_function(static fn() => proc_terminate($sandbox));
$url = json_decode(fgets($pipes[1]), true)['url'];

$merchant = Merchant::minted($url);
[$status, $answer] = $merchant->verify($merchant->initiate());
check('a purchase ends in a policy', $status === 200 && strlen($answer['data']['policy_no']) === 10);

$merchant = Merchant::minted($url);
$token = $merchant->initiate();
[, $clock] = $merchant->call('POST', '/_sandbox/clock/advance', ['by' => 'PT15M']);
check('a purchase lapses on the way', array_column($clock['effects'], 'token') === [$token]);
[$status, $answer] = $merchant->verify($token);
check('after 15 minutes it is too late', $status === 400 && $answer['message'] === 'Token has expired');

// The policy is created, then the response is lost: the worst case for a merchant.
$merchant = Merchant::minted($url);
$token = $merchant->initiate();
try {
    $merchant->verify($token, ['Sandbox-Fault: after; drop']);
    check('the response is lost', false);
} catch (ConnectionLost $lost) {
    check("the response is lost ({$lost->getMessage()})", true);
}
[, $answer] = $merchant->verify($token);
check('a second verify says that the token was used', $answer['message'] === 'Token has already been used');
[, $journal] = $merchant->call('GET', "/_sandbox/journal?token=$token&status=200");
$policy = $journal['data'][0]['response']['body']['data']['policy_no'];
[$status] = $merchant->call('GET', "/api/merchant/micro_health/validate_policy/$policy");
check("the policy exists ($policy)", $status === 200);
