import com.example.merchant.ApiClient;
import com.example.merchant.ApiException;
import com.example.merchant.api.ComprehensiveMotorApi;
import com.example.merchant.api.GroupLifeApi;
import com.example.merchant.api.MicroHealthApi;
import com.example.merchant.model.*;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * From the document to a bought policy, in Java.
 *
 * <p>openapi-generator creates {@code com.example.merchant} from the OpenAPI 3.0 document.
 */
public class Journey {
  private static final URI FILES = URI.create("https://files.example.com/");

  public static void main(String[] args) throws Exception {
    URI url = URI.create(args.length > 0 ? args[0] : "http://127.0.0.1:4015");
    String key = args.length > 1 ? args[1] : "sk_sandbox_demo";

    ApiClient client = new ApiClient();
    client.setScheme(url.getScheme()).setHost(url.getHost()).setPort(url.getPort());
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));

    /* Micro-health: price, buy, renew, list, look up. */

    MicroHealthApi microHealth = new MicroHealthApi(client);

    BigDecimal price =
        microHealth
            .getMicroHealthQuote(
                new MicroHealthQuoteRequest()
                    .productId(1)
                    .noOfUsers(2)
                    .subscriptionType(MicroHealthQuoteRequest.SubscriptionTypeEnum.MONTHLY))
            .getData()
            .getQuotePrice();

    String token =
        microHealth.initiateMicroHealthSubscription(subscriber(price)).getData().getToken();
    MicroHealthSubscription subscription =
        microHealth
            .verifyMicroHealthSubscription(new MicroHealthVerifyRequest().token(token))
            .getData();
    String policyNo = subscription.getPolicyNo();
    check(subscription.getSubscriptionsNo() == 1, "the first subscription");

    MicroHealthSubscription renewed =
        microHealth
            .topUpMicroHealthSubscription(
                new MicroHealthTopUpRequest()
                    .policyNo(policyNo)
                    .subscriptionType(MicroHealthTopUpRequest.SubscriptionTypeEnum.MONTHLY)
                    .amount(price))
            .getData();
    check(renewed.getSubscriptionsNo() == 2, "renewed once");
    check(renewed.getEndDate().isAfter(subscription.getEndDate()), "renewed for longer");

    // 15 per page; next_page_url is null on the last page.
    var listed = new ArrayList<String>();
    for (Integer page = 1; page != null; ) {
      MicroHealthSubscriberPage answer =
          microHealth.listMicroHealthSubscriptions(page, null, null, null, null).getData();
      answer.getData().forEach(each -> listed.add(each.getPolicyNo()));
      page = pageOf(answer.getNextPageUrl());
    }
    check(listed.size() > 15, "more than a page is listed");
    check(listed.contains(policyNo), "the new subscription is listed");

    check(
        microHealth.validateMicroHealthPolicy(policyNo).getData().equals(renewed),
        "what is looked up is what was answered");

    /* Comprehensive motor: price, buy, list, look up. */

    ComprehensiveMotorApi motorApi = new ComprehensiveMotorApi(client);

    MotorQuote motorQuote =
        motorApi
            .getMotorQuote(
                new MotorQuoteRequest().productId(4).vehicleValue(new BigDecimal(3_500_000)))
            .getData();
    check(motorQuote.getAmountInsured().intValue() == 3_500_000, "the car is insured for its value");

    token =
        motorApi
            .initiateMotorPolicy(
                new MotorInitiateRequest()
                    .firstName("Chidi")
                    .lastName("Eze")
                    .phoneNumber("08031234567")
                    .email("chidi@example.com")
                    .gender("male")
                    .productId(4)
                    .speedometerImg(FILES.resolve("1.png"))
                    .engineImg(FILES.resolve("2.png"))
                    .interiorImg(FILES.resolve("3.png"))
                    .frontViewImg(FILES.resolve("4.png"))
                    .rearViewImg(FILES.resolve("5.png"))
                    .leftSideViewImg(FILES.resolve("6.png"))
                    .rightSideViewImg(FILES.resolve("7.png"))
                    .vehicleLicenseImg(FILES.resolve("8.png"))
                    .proofOfOwnershipImg(FILES.resolve("9.png"))
                    .frequencyType(MotorInitiateRequest.FrequencyTypeEnum.YEARLY)
                    .sumInsured(new BigDecimal(3_500_000))
                    .insuranceCover("bronze")
                    .trackerValue(BigDecimal.ZERO)
                    .diagnosticCost(new BigDecimal(15_000))
                    .duration(1)
                    .vehicleType("saloon")
                    .startDate(LocalDate.of(2026, 12, 1))
                    .registrationNo("LND-482-KJ")
                    .vehicleMake("Toyota")
                    .vehicleModel("Corolla")
                    .yearMake("2018")
                    .vehicleColor("silver")
                    .engineNo("2ZR1234567")
                    .chasisNo("JTDBR32E720123456")
                    .contactPersonName("Ngozi Eze")
                    .contactPersonAddress("12 Allen Avenue, Ikeja")
                    .contactPersonPhoneNo("08037654321")
                    .inspectionDate(LocalDate.of(2026, 12, 3)))
            .getData()
            .getToken();
    String motorNumber =
        motorApi
            .verifyMotorPolicy(new MotorVerifyRequest().token(token))
            .getData()
            .getPolicyNumber();
    List<MotorListedPolicy> motorPolicies = motorApi.listMotorPolicies().getData();
    check(
        motorPolicies.stream().anyMatch(each -> each.getPolicyNumber().equals(motorNumber)),
        "the new motor policy is listed");
    MotorPolicy motor =
        motorApi
            .getMotorPolicyDetails(new MotorDetailsRequest().policyNumber(motorNumber))
            .getData();
    check(motor.getStartDate().equals(LocalDate.of(2026, 12, 1)), "it starts when it was asked to");
    check(motor.getEndDate().equals(LocalDate.of(2027, 12, 1)), "it lasts a year");

    // A duration is returned as it was sent: in the oldest policy it is a string, which is read as a number.
    MotorListedPolicy earlier = motorPolicies.get(0);
    check(earlier.getDuration() == 1, "a duration in a string is read as a number");
    motor =
        motorApi
            .getMotorPolicyDetails(
                new MotorDetailsRequest().policyNumber(earlier.getPolicyNumber()))
            .getData();
    check(motor.getDuration().equals(earlier.getDuration()), "its duration is what the list says");

    /* Group life: buy, list, look up. */

    GroupLifeApi groupLife = new GroupLifeApi(client);

    token =
        groupLife
            .initiateGroupLifePolicy(
                new GroupLifeInitiateRequest()
                    .email("hr@example.com")
                    .firstName("Funke")
                    .surname("Balogun")
                    .phoneNo("08031234567")
                    .gender("female")
                    .dob(LocalDate.of(1985, 7, 1))
                    .productId(2)
                    .groupName("Balogun Traders")
                    .groupType("cooperative")
                    .groupContactAddress("4 Broad Street, Lagos")
                    .firstPersonName("Funke Balogun")
                    .firstPersonPhone("08031234567")
                    .secondPersonName("Musa Bello")
                    .addMembersItem(
                        new GroupLifeMemberRequest()
                            .fullName("Musa Bello")
                            .gender("male")
                            .occupation("trader")
                            .dateOfBirth(LocalDate.of(1979, 11, 23))
                            .nextOfKiln("Aisha Bello")
                            .phoneNumber("08039876543")))
            .getData()
            .getToken();
    String groupNumber =
        groupLife
            .verifyGroupLifePolicy(new GroupLifeVerifyRequest().token(token))
            .getData()
            .getPolicyNumber();
    check(
        groupLife.listGroupLifePolicies(1, 100).getData().getData().stream()
            .anyMatch(each -> each.getPolicyNumber().equals(groupNumber)),
        "the new group-life policy is listed");
    GroupLifePolicy group =
        groupLife
            .getGroupLifePolicyDetails(new GroupLifeDetailsRequest().policyNumber(groupNumber))
            .getData();
    check(
        group.getGroupLifeMembers().get(0).getFullName().equals("Musa Bello"),
        "its member is known");

    /* A refusal is an ApiException. Its body is a failure as documented. */

    try {
      microHealth.initiateMicroHealthSubscription(subscriber(BigDecimal.ONE).email("nobody"));
      throw new IllegalStateException("a wrong amount was accepted");
    } catch (ApiException refusal) {
      CodedFailure failure =
          client.getObjectMapper().readValue(refusal.getResponseBody(), CodedFailure.class);
      var problems = failure.getData().getError();
      check(refusal.getCode() == 422, "refused as invalid");
      check(
          problems.size() == 2
              && problems.get(0).contains("email")
              && problems.get(1).contains("amount"),
          "both problems are named");
    }

    /* A token expires after 15 minutes. The test advances the sandbox's clock instead of waiting. */

    token = microHealth.initiateMicroHealthSubscription(subscriber(price)).getData().getToken();
    HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(url.resolve("/_sandbox/clock/advance"))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"by\":\"PT15M\"}"))
                .build(),
            HttpResponse.BodyHandlers.discarding());
    try {
      microHealth.verifyMicroHealthSubscription(new MicroHealthVerifyRequest().token(token));
      throw new IllegalStateException("an expired token was accepted");
    } catch (ApiException refusal) {
      MessageFailure failure =
          client.getObjectMapper().readValue(refusal.getResponseBody(), MessageFailure.class);
      check(refusal.getCode() == 400, "refused");
      check(failure.getMessage().equals("Token has expired"), "the token has expired");
    }

    System.out.println("bought " + policyNo + ", " + motorNumber + " and " + groupNumber);
  }

  private static MicroHealthInitiateRequest subscriber(BigDecimal amount) {
    return new MicroHealthInitiateRequest()
        .firstName("Ada")
        .surname("Obi")
        .email("ada@example.com")
        .phoneNo("08031234567")
        .dateOfBirth(LocalDate.of(1990, 4, 12))
        .productId(1)
        .subscriptionType(MicroHealthInitiateRequest.SubscriptionTypeEnum.MONTHLY)
        .amount(amount)
        .ninNumber("12345678901")
        .firstBeneficiaryFullName("Bola Ade")
        .idUrl(FILES.resolve("id.png"));
  }

  /** The page number in a page URL; null without a URL. */
  private static Integer pageOf(String url) {
    if (url == null) return null;
    var page = Pattern.compile("[?&]page=(\\d+)").matcher(url);
    check(page.find(), "a page URL names its page");
    return Integer.valueOf(page.group(1));
  }

  private static void check(boolean holds, String what) {
    if (!holds) throw new IllegalStateException("Not so: " + what);
  }
}
